/** Responses to visitors of published sites, and the headers with which renderers of sites cache them. */
import type { SiteVisitor } from "@lectern/core"
import type { Encoded } from "./encode.ts"
import { matchesEtag } from "./messages/etag.ts"
import { type ApiRequest, type ApiResponse, emptyResponse, jsonResponse } from "./messages/Message.ts"
import type { Match } from "./routeTable.ts"

/** The header with the tags of a response, by which a renderer purges its cache. */
const cacheTagHeader = "x-gitbook-cache-tag"

/**
 * The seconds for which renderers cache the documents of visitors. A renderer receives no notice of a commit, so this is
 * how long its pages can be stale. The official renderer fails below 300 s: it lets browsers use a page for 5 minutes, which
 * must not exceed the time after which its own copy expires.
 */
const rendererMaxAge = 300

/** The resources of a path that the tags of its response name, by the names of the path parameters. */
const tagOf: Readonly<Record<string, (id: string) => string>> = {
  siteId: (id) => `site:${id}`,
  spaceId: (id) => `space:${id}`
}

const tagsOf = (params: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> =>
  Object.entries(params).flatMap(([name, id]) => {
    const tag = tagOf[name]
    return tag === undefined || id === undefined || !/^[\w-]{1,100}$/.test(id) ? [] : [tag(id)]
  })

/**
 * Builds the response of a success to a visitor. Access can end at any time, so no response is immutable or stored by
 * shared caches, and each is revalidated.
 */
export const visitorResponse = (
  request: ApiRequest,
  { route, params }: Extract<Match, { _tag: "Found" }>,
  encoded: Encoded,
  visitor: SiteVisitor | "anonymous"
): ApiResponse => {
  const site = visitor === "anonymous" ? undefined : visitor.site
  const tags = [...new Set([...tagsOf({ siteId: site }), ...tagsOf(params)])]
  const headers: Record<string, string> = {
    "cache-control": "private, no-cache",
    "x-gitbook-cache-control": `max-age=${rendererMaxAge}`,
    ...(tags.length === 0 ? {} : { [cacheTagHeader]: tags.join(",") })
  }
  if (route.isWrite)
    return jsonResponse(route.status, encoded.body, { ...headers, "cache-control": "no-store" })
  const etag = encoded.etag()
  const cachedTag = request.header("if-none-match")
  return cachedTag !== undefined && matchesEtag(cachedTag, etag)
    ? emptyResponse(304, { ...headers, etag })
    : jsonResponse(route.status, encoded.body, { ...headers, etag })
}
