/** Rules of redirects: the redirect that starts from a path, and its target. */
import { unescaped } from "@lectern/model/schema"
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
}: Omit<SiteRedirectRow, "organization" | "site"> & {
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

/** The redirect, as far as it determines its target. */
type RedirectRule = Pick<SiteRedirectRow, "source" | "captureWildcard">

/** Returns the beginning of the URLs that a captured wildcard matches; undefined for other redirects. */
const capturedBeginning = ({ source, captureWildcard }: RedirectRule, root: string): string | undefined =>
  captureWildcard && source.endsWith("*") ? `${root}${source.slice(1, -1)}` : undefined

/**
 * Whether a redirect leads to paths that it matches itself, as `/second*` does to `/second-page`, and `/guides/*` to `/guides`. One from
 * `/guides/*` to `/guides/v2` does not: it has no effect below its destination.
 */
export const leadsToItself = (redirect: RedirectRule, { url, root }: RedirectDestination): boolean => {
  const beginning = capturedBeginning(redirect, root)
  if (beginning === undefined) return false
  return beginning.endsWith("/") ? `${url.replace(/\/$/, "")}/` === beginning : url.startsWith(beginning)
}

/** Whether two URLs name the same path, also with other characters encoded. */
const isSameUrl = (one: string, other: string): boolean =>
  one === other || unescaped(one) === unescaped(other)

/**
 * Returns the target of a redirect from a path of the site: the destination, with the part of the path that the wildcard of the
 * source represents if the redirect captures it. Returns undefined for a path that is its own target, for a path whose target would start
 * the same redirect repeatedly, and for a part with dots, whose target could be outside of the destination.
 */
export const targetOf = (
  redirect: RedirectRule,
  { url, root }: RedirectDestination,
  path: string
): string | undefined => {
  const { source } = redirect
  const requested = `${root}${path.slice(1)}`
  const beginning = capturedBeginning(redirect, root)
  if (beginning === undefined) return isSameUrl(url, requested) ? undefined : url
  const captured = path.slice(source.length - 1)
  if (captured.split("/").some(isDotSegment)) return undefined
  const isBelow = source.endsWith("/*")
  const ending = url.replace(/\/$/, "")
  const destination = isBelow ? `${ending}/` : ending
  const target = append(url, captured, isBelow || captured.startsWith("/"))
  // A target that the source matches too is followed once: it is below the destination, which is not followed again.
  const isRepeated = destination.startsWith(beginning)
    ? requested.startsWith(destination)
    : target.startsWith(beginning)
  return isRepeated || isSameUrl(target, requested) ? undefined : target
}
