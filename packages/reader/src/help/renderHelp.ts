/** Renders the documentation of Lectern itself, which is not a space of the workspace: pages in a folder of Markdown. */
import {
  defaultCustomization,
  type JsonDocument,
  type PageLayout,
  type StorageUnavailable
} from "@lectern/core"
import { Effect } from "effect"
import type { Assets } from "../assets/files.ts"
import { themeFile } from "../assets/theme.ts"
import { renderBlocks } from "../document/blocks.ts"
import type { DocumentContext, LinkRef, ResolvedLink } from "../document/DocumentContext.ts"
import { renderFootnotes } from "../document/footnotes.ts"
import { idsIn } from "../document/headings.ts"
import { Renderer } from "../document/Renderer.ts"
import { keyOfPiece, type Pieces, type RenderedPieces } from "../highlight/Pieces.ts"
import type { Piece } from "../highlight/protocol.ts"
import { fragment, type Html } from "../html/Html.ts"
import { anchorUrl, decodePart, externalUrl, relativeUrl, type SafeUrl } from "../html/urls.ts"
import { type ReaderRequest, type ReaderResponse, rendered, renderedHtml, respond } from "../http/messages.ts"
import { messagesOf } from "../page/messages.ts"
import type { LinkItem, SiteFrame, TreeItem } from "../page/PageModel.ts"
import { renderPage } from "../page/renderPage.ts"

/** An entry of the table of contents. A group has no path. */
export interface HelpEntry {
  readonly title: string
  /** The path of the page below `/help`, which is empty for the first page. */
  readonly path: string | undefined
  readonly items: ReadonlyArray<HelpEntry>
}

/** A page of the documentation. */
export interface HelpPage {
  /** The path of the page below `/help`, which is empty for the first page. */
  readonly path: string
  readonly title: string
  readonly description: string | undefined
  /** The text below the title. */
  readonly markdown: string
  readonly tree: ReadonlyArray<HelpEntry>
  /** Returns the path below `/help`, with its anchor, of a relative link on the page; `undefined` if it has no file. */
  readonly resolve: (url: string) => string | undefined
}

/** The target of a request for the documentation: a page, or the name of a file that may be an asset of pages. */
export type HelpTarget = { readonly page: HelpPage } | { readonly asset: string }

const assetsPath = "~/assets/"

const layout: PageLayout = {
  width: "default",
  cover: false,
  coverSize: "full",
  coverMask: "none",
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: false,
  tags: false,
  actions: true,
  anchors: true
}

/** How long a page waits for its colored code, in milliseconds. */
const piecesDeadlineMs = 3_000

const linkOf = (page: HelpPage, ref: LinkRef): ResolvedLink | undefined => {
  if (ref.kind === "anchor" && ref.page === undefined)
    return { href: anchorUrl(ref.anchor), isExternal: false }
  if (ref.kind !== "url") return undefined
  const target = page.resolve(ref.url)
  if (target === undefined) {
    const href = externalUrl(ref.url)
    return href === undefined ? undefined : { href, isExternal: true }
  }
  const [path = "", anchor] = target.split("#", 2)
  const href = relativeUrl(page.path, path)
  return {
    href: anchor === undefined ? href : (`${href}${anchorUrl(decodePart(anchor))}` as SafeUrl),
    title: titleOf(page.tree, path),
    isExternal: false
  }
}

const titleOf = (tree: ReadonlyArray<HelpEntry>, path: string): string | undefined => {
  for (const entry of tree) {
    const title = entry.path === path ? entry.title : titleOf(entry.items, path)
    if (title !== undefined) return title
  }
  return undefined
}

const treeOf = (page: HelpPage, entries: ReadonlyArray<HelpEntry>): ReadonlyArray<TreeItem> =>
  entries.map(({ title, path, items }): TreeItem => {
    const below = treeOf(page, items)
    const isCurrent = path === page.path
    return {
      id: path ?? title,
      title,
      href: path === undefined ? undefined : relativeUrl(page.path, path),
      icon: undefined,
      isGroup: path === undefined,
      isExternal: false,
      isCurrent,
      isOpen: isCurrent || below.some(({ isOpen }) => isOpen),
      items: below
    }
  })

/** Returns the pages in the order of the table of contents. */
const readingOrder = (tree: ReadonlyArray<HelpEntry>): ReadonlyArray<HelpEntry & { readonly path: string }> =>
  tree.flatMap((entry) => [
    ...(entry.path === undefined ? [] : [{ ...entry, path: entry.path }]),
    ...readingOrder(entry.items)
  ])

const frameOf = (page: HelpPage, assets: Assets, theme: string): SiteFrame => {
  const asset = (name: string) => relativeUrl(page.path, `${assetsPath}${name}`)
  return {
    messages: messagesOf("en"),
    customization: defaultCustomization,
    siteTitle: "Lectern",
    assets: { style: asset(assets.style.name), theme: asset(theme), script: asset(assets.script.name) },
    home: relativeUrl(page.path, ""),
    favicon: undefined,
    logo: undefined,
    footerLogo: undefined,
    headerLinks: [],
    footerGroups: [],
    sections: [],
    variants: [],
    tree: treeOf(page, page.tree)
  }
}

/** Renders the text: once to find its code, and again with the colors of the code. */
const renderText = Effect.fnUntraced(function* (page: HelpPage, document: JsonDocument, pieces: Pieces) {
  let found: RenderedPieces["pieces"] = new Map()
  const missing = new Map<string, Piece>()
  const context: DocumentContext = {
    messages: messagesOf("en"),
    link: (ref) => linkOf(page, ref),
    image: (ref) => {
      const href = ref.kind === "url" ? linkOf(page, ref)?.href : undefined
      return href === undefined ? undefined : { src: href }
    },
    file: () => undefined,
    code: (syntax, text) => {
      if (syntax === undefined || text === "") return undefined
      const piece: Piece = { kind: "code", syntax, text }
      const key = keyOfPiece(piece)
      missing.set(key, piece)
      const colored = found.get(key)
      return typeof colored === "string" || colored === null ? undefined : colored
    },
    math: () => undefined,
    openApi: () => undefined,
    expression: () => undefined,
    searchUrl: () => relativeUrl(page.path, ""),
    opensNewTab: false,
    showsConditions: false
  }
  const render = (): { readonly content: Html; readonly renderer: Renderer } => {
    const renderer = new Renderer(context, idsIn(document.nodes))
    const content = fragment(
      renderBlocks(renderer, document.nodes),
      renderFootnotes(renderer, document.data.footnotes)
    )
    return { content, renderer }
  }
  const plain = render()
  if (missing.size === 0) return plain
  found = (yield* Effect.promise(() => pieces.render([...missing.values()], piecesDeadlineMs))).pieces
  return render()
})

/** Creates the renderer of the documentation. `parse` parses its Markdown. It returns `undefined` for an unknown asset. */
export const makeRenderHelp = (
  parse: (markdown: string) => Effect.Effect<JsonDocument, StorageUnavailable>,
  pieces: Pieces,
  assets: Assets
) => {
  let theme: ReturnType<typeof themeFile> | undefined
  const themeOnce = () => {
    theme ??= themeFile(defaultCustomization, assets)
    return theme
  }
  const toLink = (page: HelpPage, entry: { readonly title: string; readonly path: string } | undefined) =>
    entry === undefined
      ? undefined
      : ({ title: entry.title, href: relativeUrl(page.path, entry.path) } satisfies LinkItem)

  const serveAsset = (request: Pick<ReaderRequest, "header">, path: string): ReaderResponse | undefined => {
    if (!path.startsWith(assetsPath)) return undefined
    const name = path.slice(assetsPath.length)
    const file = name === themeOnce().name ? themeOnce() : assets.file(name)
    return file === undefined
      ? undefined
      : respond(request, rendered(file.contentType, file.body), "immutable")
  }

  return Effect.fnUntraced(function* (request: Pick<ReaderRequest, "header">, target: HelpTarget) {
    if ("asset" in target) return serveAsset(request, target.asset)
    const { page } = target
    const { content, renderer } = yield* renderText(page, yield* parse(page.markdown), pieces)
    const reading = readingOrder(page.tree)
    const at = reading.findIndex(({ path }) => path === page.path)
    const body = renderPage({
      frame: frameOf(page, assets, themeOnce().name),
      metadata: { description: page.description, isIndexed: false },
      title: page.title,
      icon: undefined,
      description: page.description,
      cover: undefined,
      layout,
      content,
      outline: renderer.outline,
      breadcrumbs: [],
      previous: toLink(page, at <= 0 ? undefined : reading[at - 1]),
      next: toLink(page, at < 0 ? undefined : reading[at + 1]),
      updatedAt: undefined,
      feedback: undefined,
      actions: {}
    })
    return respond(request, renderedHtml(body), "public")
  })
}
