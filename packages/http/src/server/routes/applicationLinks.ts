/**
 * The URLs of resources, `urls.app`, in the application. They do not depend on whether the application is installed: without it,
 * they are previews of the reader. With it, a browser that opens one is redirected to the application.
 */
import { type ApiRequest, type ApiResponse, emptyResponse } from "../messages/Message.ts"

/** The parts of the preview of a change request that are not pages: its changes, its conflicts and its differences. */
const reviewPattern = /^~\/(?:changes|conflicts|diff)(?:\/|$)/

const inOrganization = (path: string, organization: string): string => `${path}?organization=${organization}`

type Match = RegExpExecArray

/** Returns the rest of a path as its end: empty, or with a slash. */
const end = (rest: string | undefined): string =>
  rest === undefined || rest === "" ? "" : `/${rest.replace(/\/$/, "")}`

const changePath = (space: string, number: string, rest: string | undefined): string =>
  `/spaces/${space}/changes/${number}${rest !== undefined && reviewPattern.test(rest) ? "/review" : end(rest)}`

const links: ReadonlyArray<readonly [pattern: RegExp, target: (match: Match) => string]> = [
  [
    /^\/s\/([^/]+)\/~\/changes\/(\d+)(?:\/(.*))?$/,
    ([, space, number, rest]) => changePath(space!, number!, rest)
  ],
  [/^\/s\/([^/]+)\/~\/revisions\/([^/]+)(?:\/.*)?$/, ([, space, id]) => `/spaces/${space}/history/${id}`],
  [/^\/s\/([^/]+)(?:\/((?!~\/).*))?$/, ([, space, rest]) => `/spaces/${space}${end(rest)}`],
  [/^\/c\/([^/]+)\/?$/, ([, id]) => `/collections/${id}`],
  [/^\/o\/([^/]+)\/?$/, ([, id]) => inOrganization("/", id!)],
  [/^\/o\/([^/]+)\/sites\/([^/]+)\/?$/, ([, id, site]) => inOrganization(`/sites/${site}`, id!)],
  [/^\/o\/([^/]+)\/openapi\/([^/]+)\/?$/, ([, id, slug]) => inOrganization(`/specs/${slug}`, id!)],
  [/^\/o\/([^/]+)\/integrations\/[^/]+\/?$/, ([, id]) => inOrganization("/organization/integrations", id!)],
  [/^\/integrations\/[^/]+\/?$/, () => "/organization/integrations"]
]

/** Returns the path in the application of the path of `urls.app` of a resource, or `undefined`. */
export const applicationPathOf = (path: string): string | undefined => {
  for (const [pattern, target] of links) {
    const match = pattern.exec(path)
    if (match !== null) return target(match)
  }
  return undefined
}

/** Whether a browser opens the address as a page, and not as a part of one. */
const isNavigation = ({ method, header }: Pick<ApiRequest, "method" | "header">): boolean => {
  const destination = header("sec-fetch-dest")
  return (
    method === "GET" &&
    (header("accept") ?? "").includes("text/html") &&
    (destination === undefined || destination === "document")
  )
}

/**
 * Returns the redirect of a browser to the application at `basePath`, or `undefined`. `publicUrl` is the URL of the workspace: other
 * hosts serve sites, whose pages can have the same paths.
 */
export const redirectToApplication = (
  request: Pick<ApiRequest, "method" | "header" | "url" | "baseUrl">,
  publicUrl: string,
  basePath: string
): ApiResponse | undefined => {
  const path = isNavigation(request) ? applicationPathOf(request.url.split("?", 1)[0]!) : undefined
  if (path === undefined) return undefined
  const host = request.baseUrl === undefined ? request.header("host") : new URL(request.baseUrl).host
  if (host !== new URL(request.baseUrl ?? publicUrl).host) return undefined
  return emptyResponse(302, { location: basePath + path, "cache-control": "no-store" })
}
