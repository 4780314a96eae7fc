/** Renders links to other content: embeds as frames or cards, cards of pages, and files. */
import type { DocumentBlock } from "@lectern/core"
import { type Content, classes, element, type Html } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { externalUrl, resourceUrl, type SafeUrl } from "../html/urls.ts"
import { renderInlines } from "./inlines.ts"
import type { Renderer } from "./Renderer.ts"

/** A website whose content is embedded, with the URL of its player. */
interface Provider {
  readonly title: string
  readonly hosts: RegExp
  /** Returns the URL of the frame, or `undefined` if the URL is not one of its embeddable content. */
  readonly frame: (url: URL) => string | undefined
}

const idPattern = /^[A-Za-z0-9_-]{1,64}$/
const validId = (id: string | null | undefined): string | undefined =>
  id !== null && id !== undefined && idPattern.test(id) ? id : undefined
const withId = (id: string | undefined, frame: (id: string) => string): string | undefined =>
  id === undefined ? undefined : frame(id)
const segments = (url: URL): ReadonlyArray<string> => url.pathname.split("/").filter((part) => part !== "")

const providers: ReadonlyArray<Provider> = [
  {
    title: "YouTube",
    hosts: /^(www\.|m\.)?(youtube\.com|youtube-nocookie\.com)$|^youtu\.be$/,
    frame: (url) => {
      const [first, second] = segments(url)
      const id =
        url.hostname === "youtu.be"
          ? first
          : first === "embed" || first === "shorts" || first === "live"
            ? second
            : url.searchParams.get("v")
      return withId(validId(id), (video) => `https://www.youtube-nocookie.com/embed/${video}`)
    }
  },
  {
    title: "Vimeo",
    hosts: /^(www\.|player\.)?vimeo\.com$/,
    frame: (url) => {
      const id = segments(url).find((part) => /^\d+$/.test(part))
      return withId(validId(id), (video) => `https://player.vimeo.com/video/${video}?dnt=1`)
    }
  },
  {
    title: "Loom",
    hosts: /^(www\.)?loom\.com$/,
    frame: (url) => withId(validId(segments(url)[1]), (video) => `https://www.loom.com/embed/${video}`)
  },
  {
    title: "CodePen",
    hosts: /^codepen\.io$/,
    frame: (url) => {
      const [user, , pen] = segments(url)
      const author = validId(user)
      if (author === undefined) return undefined
      return withId(validId(pen), (id) => `https://codepen.io/${author}/embed/${id}?default-tab=result`)
    }
  },
  {
    title: "CodeSandbox",
    hosts: /^codesandbox\.io$/,
    frame: (url) => withId(validId(segments(url).at(-1)), (id) => `https://codesandbox.io/embed/${id}`)
  },
  {
    title: "Figma",
    hosts: /^(www\.)?figma\.com$/,
    frame: (url) => `https://www.figma.com/embed?embed_host=lectern&url=${encodeURIComponent(url.href)}`
  },
  {
    title: "Spotify",
    hosts: /^open\.spotify\.com$/,
    frame: (url) => {
      const [first, id] = segments(url)
      const kind = validId(first)
      if (kind === undefined) return undefined
      return withId(validId(id), (item) => `https://open.spotify.com/embed/${kind}/${item}`)
    }
  }
]

/** The origins of frames, for the policy of the page. */
export const frameOrigins: ReadonlyArray<string> = [
  "https://www.youtube-nocookie.com",
  "https://player.vimeo.com",
  "https://www.loom.com",
  "https://codepen.io",
  "https://codesandbox.io",
  "https://www.figma.com",
  "https://open.spotify.com"
]

const captionOf = (
  renderer: Renderer,
  caption: ReadonlyArray<DocumentBlock.Paragraph> | undefined
): Html | undefined => {
  const lines = (caption ?? []).map(({ nodes }) => renderInlines(renderer, nodes))
  return lines.every(({ text }) => text === "") ? undefined : element("figcaption", {}, lines)
}

const renderFrame = (src: SafeUrl, title: string): Html =>
  element("iframe", {
    src,
    title,
    loading: "lazy",
    // The frame has another origin, so that it has its own storage but cannot reach the page.
    sandbox: "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-presentation",
    allow: "fullscreen; picture-in-picture",
    referrerpolicy: "strict-origin-when-cross-origin"
  })

/** An embed with its options. */
export interface EmbedOptions {
  readonly url: string
  readonly caption: ReadonlyArray<DocumentBlock.Paragraph> | undefined
  readonly fullWidth: boolean
}

const mediaOf = (url: SafeUrl): Html | undefined => {
  const path = url.split(/[?#]/, 1)[0]!
  if (/\.(mp4|webm|mov|m4v)$/i.test(path))
    return element("video", { src: url, controls: true, preload: "metadata" })
  if (/\.(mp3|ogg|wav|m4a)$/i.test(path))
    return element("audio", { src: url, controls: true, preload: "metadata" })
  return undefined
}

/** Renders content of another website: as a sandboxed frame for known websites, otherwise as a card that links to it. */
export const renderEmbed = (renderer: Renderer, { url: text, caption, fullWidth }: EmbedOptions): Html => {
  const captionElement = captionOf(renderer, caption)
  const link = renderer.context.link({ kind: "url", url: text })
  const resource = resourceUrl(text)
  const className = classes("embed", fullWidth && "full-width")
  if (resource !== undefined) {
    const url = new URL(resource)
    const provider = providers.find(({ hosts }) => hosts.test(url.hostname))
    const frame = resourceUrl(provider?.frame(url) ?? "")
    if (provider !== undefined && frame !== undefined) {
      return element(
        "figure",
        { class: className },
        element("div", { class: "frame" }, renderFrame(frame, provider.title)),
        captionElement
      )
    }
    const media = mediaOf(resource)
    if (media !== undefined) return element("figure", { class: className }, media, captionElement)
  }
  const href = link?.href ?? externalUrl(text)
  if (href === undefined) return element("figure", { class: className }, captionElement)
  const host = resource === undefined ? text : new URL(resource).hostname.replace(/^www\./, "")
  return element(
    "figure",
    { class: className },
    renderLinkCard(
      renderer,
      { href, isExternal: link?.isExternal ?? true },
      icon("arrow-up-right-from-square"),
      link?.title ?? host,
      text
    ),
    captionElement
  )
}

const renderLinkCard = (
  renderer: Renderer,
  link: { readonly href: SafeUrl; readonly isExternal: boolean },
  iconElement: Content,
  title: string,
  detail: string | undefined
): Html =>
  element(
    "a",
    { class: "link-card", ...renderer.linkAttributes(link) },
    element("span", { class: "link-card-icon" }, iconElement),
    element(
      "span",
      { class: "link-card-text" },
      element("span", { class: "link-card-title" }, title),
      detail !== undefined &&
        detail !== "" &&
        detail !== title &&
        element("span", { class: "link-card-detail" }, detail)
    ),
    element("span", { class: "link-card-arrow" }, icon("chevron-right"))
  )

/** Renders a card that links to a page, an anchor, a file or a URL. */
export const renderContentRef = (
  renderer: Renderer,
  { data }: DocumentBlock.ContentRefBlock
): Html | undefined => {
  const link = renderer.context.link(data.ref)
  const title = link?.title ?? data.label
  if (link === undefined) return title === undefined ? undefined : element("p", {}, title)
  const pageIcon = link.icon ?? icon(link.isExternal ? "arrow-up-right-from-square" : "file-lines")
  return renderLinkCard(
    renderer,
    link,
    pageIcon,
    title ?? link.href,
    link.isExternal ? link.href : link.description
  )
}

/** Formats a number of bytes. */
const formatSize = (bytes: number, locale: string): string => {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const
  const exponent = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const format = {
    style: "unit",
    unit: units[exponent]!,
    unitDisplay: exponent === 0 ? "long" : "short",
    maximumFractionDigits: 1
  } as const
  return new Intl.NumberFormat(locale, format).format(bytes / 1000 ** exponent)
}

/** Renders a file to download. */
export const renderFile = (
  renderer: Renderer,
  { data, fragments }: DocumentBlock.FileBlock
): Html | undefined => {
  const file = renderer.context.file(data.ref)
  const caption = captionOf(renderer, fragments?.[0]?.nodes)
  if (file === undefined)
    return caption === undefined ? undefined : element("figure", { class: "file" }, caption)
  const size = file.size === undefined ? undefined : formatSize(file.size, renderer.context.messages.locale)
  const detail = [size, file.contentType?.split("/")[1]?.toUpperCase()]
    .filter((part) => part !== undefined)
    .join(" · ")
  return element(
    "figure",
    { class: "file" },
    renderLinkCard(
      renderer,
      { href: file.href, isExternal: false },
      icon("file-arrow-down"),
      file.name,
      detail
    ),
    caption
  )
}
