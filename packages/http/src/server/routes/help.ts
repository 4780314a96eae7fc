/**
 * Serves the documentation of Lectern at `/help`: as pages if the server has a reader, which renders them, and as Markdown
 * otherwise. The Markdown of a page is at its path with `.md`.
 */
import { Effect } from "effect"
import { decodePath } from "../messages/decodePath.ts"
import { etagOf, matchesEtag } from "../messages/etag.ts"
import { toResponse } from "../messages/failures.ts"
import { type ApiRequest, type ApiResponse, emptyResponse } from "../messages/Message.ts"
import { openHelpPages } from "./helpPages.ts"
import type { PageReader } from "./pages.ts"
import type { Route } from "./Route.ts"

/** The path of the documentation. */
export const helpPath = "/help"

const contentTypes: Readonly<Record<string, string>> = {
  md: "text/markdown; charset=utf-8",
  jpg: "image/jpeg",
  png: "image/png",
  svg: "image/svg+xml"
}

const notFound: ApiResponse = {
  status: 404,
  headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  body: "The documentation has no page at this address.\n"
}

const fileResponse = (request: ApiRequest, path: string, body: Uint8Array): ApiResponse => {
  const etag = etagOf(body)
  const headers = {
    "content-type": contentTypes[path.split(".").at(-1)!] ?? "application/octet-stream",
    "content-security-policy": "default-src 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": "no-cache",
    etag
  }
  const tag = request.header("if-none-match")
  return tag !== undefined && matchesEtag(tag, etag)
    ? { ...emptyResponse(304), headers: { etag, "cache-control": "no-cache" } }
    : { status: 200, headers, body }
}

/** Returns a redirect to a path below the parent of `/help`. */
const redirectTo = (location: string): ApiResponse => ({
  ...emptyResponse(302),
  headers: { location, "cache-control": "no-store" }
})

/** Creates the route of `/help` and of the paths below it. */
export const makeHelpRoute = (reader: PageReader | undefined): Route => {
  const pages = openHelpPages()
  const serve = Effect.fnUntraced(function* (request: ApiRequest): Effect.fn.Return<ApiResponse> {
    const [pathname = ""] = request.url.split("?", 1)
    const path = decodePath(pathname.slice(helpPath.length).replace(/^\//, ""))
    if (path === undefined) return notFound
    // The links of the first page are relative to the folder.
    if (path === "" && pathname === helpPath) {
      return redirectTo(reader?.help === undefined ? "help/README.md" : "help/")
    }
    if (reader?.help !== undefined) {
      const page = yield* Effect.promise(() => pages.page(path))
      const response = yield* Effect.catch(
        reader.help(request, page === undefined ? { asset: path } : { page }),
        (error) => Effect.succeed(toResponse(error))
      )
      if (response !== undefined) return response
    }
    const file = yield* Effect.promise(() => pages.file(path))
    if (file !== undefined) return fileResponse(request, path, file)
    return path === "" ? redirectTo("README.md") : notFound
  })
  return serve
}
