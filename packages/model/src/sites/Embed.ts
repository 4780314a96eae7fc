/** Embeds: how a page shows the resource at a URL. */

import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { Url } from "../schema/Url.ts"

/** The URL to embed. */
export class EmbedQuery extends resource<EmbedQuery>()(
  Schema.Struct({
    /** The URL to embed: at most 2,048 characters. */
    url: Url
  })
) {}

const common = {
  /** The title of the resource. */
  title: Schema.String,
  /** The host name of the resource. */
  site: Schema.String
}

/** The embed of a URL: a link, or the HTML of a sandboxed frame. */
export const Embed = Schema.Union([
  Schema.Struct({
    ...common,
    /** The type of the embed: a link. */
    type: Schema.Literal("link")
  }),
  Schema.Struct({
    ...common,
    /** The type of the embed: HTML. */
    type: Schema.Literal("rich"),
    /** A sandboxed frame of a known provider. */
    html: Schema.String
  })
]).annotate({ identifier: "Embed" })
/** The embed of a URL: a link, or the HTML of a sandboxed frame. */
export type Embed = typeof Embed.Type

/** A provider of players that can be framed: returns the URL of the player for the URL of a page. */
interface Provider {
  readonly title: string
  readonly hosts: ReadonlySet<string>
  readonly frameOf: (url: URL) => string | undefined
}

const idPattern = /^[\w-]{1,64}$/

const withId = (prefix: string, id: string | null | undefined): string | undefined =>
  id != null && idPattern.test(id) ? `${prefix}${id}` : undefined

const providers: ReadonlyArray<Provider> = [
  {
    title: "YouTube",
    hosts: new Set(["youtube.com", "www.youtube.com", "m.youtube.com", "youtu.be"]),
    frameOf: ({ hostname, pathname, searchParams }) => {
      const [first, second] = pathname.split("/").filter((segment) => segment !== "")
      const isPath = first === "embed" || first === "shorts" || first === "live"
      const id = hostname === "youtu.be" ? first : isPath ? second : searchParams.get("v")
      return withId("https://www.youtube-nocookie.com/embed/", id)
    }
  },
  {
    title: "Vimeo",
    hosts: new Set(["vimeo.com", "www.vimeo.com", "player.vimeo.com"]),
    frameOf: ({ pathname }) =>
      withId("https://player.vimeo.com/video/", /\/(\d{1,20})(?:\/|$)/.exec(pathname)?.[1])
  },
  {
    title: "Loom",
    hosts: new Set(["loom.com", "www.loom.com"]),
    frameOf: ({ pathname }) =>
      withId("https://www.loom.com/embed/", /^\/(?:share|embed)\/([^/]+)/.exec(pathname)?.[1])
  },
  {
    title: "CodePen",
    hosts: new Set(["codepen.io"]),
    frameOf: ({ pathname }) => {
      const [user, , pen] = pathname.split("/").filter((segment) => segment !== "")
      const prefix = withId("https://codepen.io/", user)
      return prefix === undefined ? undefined : withId(`${prefix}/embed/`, pen)
    }
  }
]

/**
 * Returns the embed of a URL, without a request to it. Known providers of players result in a frame, whose URL is built from
 * their id only; other URLs result in a link.
 *
 * @example
 * embedOf("https://youtu.be/dQw4w9WgXcQ") // { type: "rich", site: "youtu.be", title: "YouTube", html: "<iframe …" }
 */
export const embedOf = (address: string): Embed => {
  const url = new URL(address)
  const site = url.hostname
  const provider = providers.find(({ hosts }) => hosts.has(site))
  const frame = url.protocol === "https:" ? provider?.frameOf(url) : undefined
  if (provider === undefined || frame === undefined) {
    const path = url.pathname === "/" ? "" : url.pathname
    return { type: "link", title: `${url.host}${path}`, site }
  }
  const html = `<iframe src="${frame}" title="${provider.title}" loading="lazy" sandbox="allow-scripts allow-same-origin allow-popups allow-presentation" referrerpolicy="strict-origin-when-cross-origin" allowfullscreen></iframe>`
  return { type: "rich", title: provider.title, site, html }
}
