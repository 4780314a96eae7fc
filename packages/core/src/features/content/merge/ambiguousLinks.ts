/**
 * Merges Markdown in which a URL refers to different pages on the two sides. The merged Markdown does not show which side a link
 * is from, so that it is merged again with another destination per page.
 */

import { type PagePaths, parsePathLink, resolvePathLink } from "@lectern/content"
import { rewriteLinks } from "@lectern/markdown/document"
import type { Steps } from "@lectern/markdown/merge"
import { mergeTextsInSteps } from "@lectern/markdown/merge"
import { type LinkOrigin, newUrlsOf } from "../edit/rewritePathLinks.ts"

/** A version of Markdown, with the content that its links refer to. */
export interface LinkedVersion {
  readonly text: string
  /** Undefined if the content does not have it. */
  readonly origin: LinkOrigin | undefined
}

/** The versions of Markdown that is merged. */
export interface LinkedVersions {
  readonly base: LinkedVersion
  readonly primary: LinkedVersion
  readonly change: LinkedVersion
}

/** Returns the id of the page that a URL refers to. */
const targetOf = ({ paths, path }: LinkOrigin, url: string): string | undefined => {
  const link = parsePathLink(url)
  return link === undefined ? undefined : resolvePathLink(paths, path, link)?.page
}

/** Returns the URLs that refer to different pages on both sides. */
export const ambiguousUrls = (
  urls: Iterable<string>,
  primary: LinkOrigin,
  change: LinkOrigin
): ReadonlySet<string> =>
  new Set(
    [...urls].filter((url) => {
      if (!primary.has(url) || !change.has(url)) return false
      const [ours, theirs] = [targetOf(primary, url), targetOf(change, url)]
      return ours !== undefined && theirs !== undefined && ours !== theirs
    })
  )

/** The start of the destinations that replace ambiguous URLs while Markdown is merged. */
const markerStart = "lectern-merged-link:"

/**
 * Merges Markdown, and decides the URLs of its links: `newUrl` of links that are not ambiguous. Returns `undefined` if the sides
 * conflict when their links are distinguished.
 */
export function* mergeAmbiguousLinks(
  versions: LinkedVersions,
  ambiguous: ReadonlySet<string>,
  after: { readonly paths: PagePaths; readonly path: string },
  newUrl: (url: string) => string | undefined
): Steps<string | undefined> {
  const all = [versions.base, versions.primary, versions.change]
  if (all.some(({ text }) => text.includes(markerStart))) return undefined
  const markers: Array<{ readonly target: string; readonly url: string; readonly origin: LinkOrigin }> = []
  const markerOf = (origin: LinkOrigin, url: string): string | undefined => {
    const target = ambiguous.has(url) ? targetOf(origin, url) : undefined
    if (target === undefined) return undefined
    const known = markers.findIndex((marker) => marker.target === target && marker.url === url)
    return markerStart + (known >= 0 ? known : markers.push({ target, url, origin }) - 1)
  }
  const marked = ({ text, origin }: LinkedVersion): string =>
    origin === undefined ? text : rewriteLinks(text, ({ url }) => markerOf(origin, url))
  const merged = yield* mergeTextsInSteps(
    marked(versions.base),
    marked(versions.primary),
    marked(versions.change)
  )
  if (merged._tag === "Conflict") return undefined
  return rewriteLinks(merged.text, ({ url }) => {
    const marker = url.startsWith(markerStart) ? markers[Number(url.slice(markerStart.length))] : undefined
    if (marker === undefined) return newUrl(url)
    const origin = { ...marker.origin, has: () => true }
    return newUrlsOf(after.paths, after.path, [origin], () => false)(marker.url) ?? marker.url
  })
}
