/** Responds to requests for paths that no route has: with a page for browsers, and with JSON for other clients. */
import { unknownPath } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"
import { htmlHeaders, prefersHtml, renderHtmlPage } from "./htmlPages.ts"

/** Returns the relative URL of the root of the server, so that a page is right below any path of a proxy. */
const rootFrom = (url: string): string => {
  const [path] = url.split("?", 1)
  return "../".repeat(path!.split("/").length - 2) || "./"
}

/** Whether a path is one of the API, whose errors are JSON for all clients. */
const isApiPath = (url: string): boolean => /^\/v1(?:[/?]|$)/.test(url)

/** Creates the response for a path that no route has. */
export const unknownPage = (request: Pick<ApiRequest, "url" | "header" | "baseUrl">): ApiResponse => {
  if (isApiPath(request.url)) return unknownPath()
  const response = unknownPath()
  response.headers.vary = "accept"
  if (!prefersHtml(request)) return response
  const root = request.baseUrl === undefined ? rootFrom(request.url) : `${request.baseUrl}/`
  return {
    ...response,
    headers: { ...response.headers, ...htmlHeaders },
    body: renderHtmlPage(
      "Not found | Lectern",
      `<h1>Not found</h1>
<p>This server has no page at this address. It may have moved, or you cannot see it.</p>
<p><a href="${root.replaceAll('"', "&quot;")}">Go to the start page</a></p>`
    )
  }
}
