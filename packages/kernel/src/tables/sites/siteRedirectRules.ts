/** Rules of redirects: the redirect that starts from a path, and its target. */
import type { SiteRedirect } from "@lectern/model/sites"
import { timeOfId } from "../../ids/Ids.ts"
import { toTimestamp } from "../../time.ts"
import type { SiteRedirectRow } from "./siteRedirectTable.ts"

/** The shortest beginning of a path that a wildcard follows: a slash and a character. */
const shortestBeginning = 2

/** Returns the resource of a redirect. */
export const redirectOf = ({
  id,
  source,
  draft,
  captureWildcard,
  permanent,
  destination,
  changed,
  createdBy = id
}: Omit<SiteRedirectRow, "site"> & {
  /** The id that was generated when the redirect was created, if it is not its own. */
  readonly createdBy?: string
}): SiteRedirect => ({
  object: "site-redirect",
  id,
  source,
  draft,
  captureWildcard,
  permanent,
  destination,
  createdAt: toTimestamp(timeOfId(createdBy)),
  ...(changed === createdBy ? {} : { updatedAt: toTimestamp(timeOfId(changed)) })
})

/** Returns the sources of all redirects that can start from a path: the path, and each of its beginnings with a wildcard. */
export const sourcesFor = (path: string): ReadonlyArray<string> => {
  const sources = [path]
  for (let end = path.length; end >= shortestBeginning; end--) sources.push(`${path.slice(0, end)}*`)
  return sources
}

/** Returns the redirect that starts from a path: the one with this source, or the one with the longest beginning. */
export const redirectFrom = <R extends { readonly source: string }>(
  redirects: ReadonlyArray<R>,
  path: string
): R | undefined => {
  const bySource = new Map(redirects.map((redirect) => [redirect.source, redirect]))
  const source = sourcesFor(path).find((candidate) => bySource.has(candidate))
  return source === undefined ? undefined : bySource.get(source)
}

/** Whether a part of a path changes the level of the next part, also if its dots are encoded. */
const isDotSegment = (segment: string): boolean => /^(?:\.|%2e){1,2}$/i.test(segment)

/** A destination, as a visitor sees it. */
export interface RedirectDestination {
  /** The URL of the destination. */
  readonly url: string
  /** The URL of the site, with its final slash. */
  readonly root: string
}

/** Appends a part of a path to the path of a URL, whose host, query and fragment remain. */
const append = (url: string, part: string, isBelow: boolean): string => {
  const [, origin = "", base = "", rest = ""] = /^([^:/]+:\/\/[^/?#]*)([^?#]*)(.*)$/s.exec(url) ?? []
  return isBelow
    ? `${origin}${base.replace(/\/$/, "")}/${part.replace(/^\//, "")}${rest}`
    : `${origin}${base === "" ? "/" : base}${part}${rest}`
}

/**
 * Returns the target of a redirect from a path of the site: the destination, with the part of the path that the wildcard of the
 * source represents if the redirect captures it. Returns undefined for a path that is its own target, for a path whose target would start
 * the same redirect repeatedly, and for a part with dots, whose target could be outside of the destination.
 */
export const targetOf = (
  { source, captureWildcard }: Pick<SiteRedirectRow, "source" | "captureWildcard">,
  { url, root }: RedirectDestination,
  path: string
): string | undefined => {
  const requested = `${root}${path.slice(1)}`
  const isCaptured = captureWildcard && source.endsWith("*")
  if (!isCaptured) return url === requested ? undefined : url
  const captured = path.slice(source.length - 1)
  if (captured.split("/").some(isDotSegment)) return undefined
  const below = `${url.replace(/\/$/, "")}/`
  const leadsBelowItself = below.startsWith(`${root}${source.slice(1, -1)}`) && requested.startsWith(below)
  const target = append(url, captured, source.endsWith("/*") || captured.startsWith("/"))
  return leadsBelowItself || target === requested ? undefined : target
}
