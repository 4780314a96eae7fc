/** Serves exports. Their URLs are signed, need no token and expire after an hour. */
import {
  type ExportAddress,
  type ExportedArchive,
  Exports,
  exportsPath,
  type SiteExportAddress,
  SiteExports
} from "@lectern/core"
import { Effect } from "effect"
import { Overloaded, tooManyExports, toResponse, unknownPath } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"
import { acceptRanges } from "../messages/ranges.ts"
import { contentDispositionOf } from "./fileDownloads.ts"

const contentType = "application/zip"

/** The parameters of an export, and the signature of its URL. */
interface SignedExport {
  readonly archive: ExportAddress | SiteExportAddress
  readonly signature: string
}

/** Parses the URL of an export and its signature. Returns `undefined` if it is malformed. */
const parseExportUrl = (url: string): SignedExport | undefined => {
  const [path, query] = url.split("?", 2)
  const encoded = path!.slice(exportsPath.length).split("/")
  const parameters = new URLSearchParams(query)
  const [expires, signature] = [parameters.get("expires"), parameters.get("signature")]
  if (signature === null || !/^\d{1,12}$/.test(expires ?? "")) return undefined
  const parts = segmentsOf(encoded)
  const common = { expires: Number(expires) }
  if (parts?.length === 3) {
    const [space, revision, name] = parts as [string, string, string]
    return { archive: { ...common, space, revision, name }, signature }
  }
  const spaces = parameters.get("spaces")
  if (parts?.length !== 4 || parts[0] !== "sites" || spaces === null) return undefined
  const [, organization, site, name] = parts as [string, string, string, string]
  return { archive: { ...common, organization, site, spaces, name }, signature }
}

const segmentsOf = (encoded: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  try {
    return encoded.map(decodeURIComponent)
  } catch {
    return undefined
  }
}

const headersOf = (name: string): Record<string, string> => ({
  "content-type": contentType,
  "cache-control": "private, no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-disposition": contentDispositionOf({ name, contentType })
})

const responseOf = (name: string, { stream, stored }: ExportedArchive): ApiResponse => {
  if (stored === undefined) {
    return { status: 200, headers: headersOf(name), body: { stream, length: undefined } }
  }
  const { file, hash } = stored
  return {
    status: 200,
    headers: { ...headersOf(name), ...acceptRanges, etag: `"${hash}"` },
    body: { stream, length: file.size, slice: file.read }
  }
}

/**
 * Creates the route that serves exports: stored ones with their length, others while they are produced. It responds with 404 to
 * invalid signatures, with 410 to expired URLs, and with 429 or 503 if too many exports are produced.
 */
export const makeExportDownloads = Effect.gen(function* () {
  const exports = yield* Exports
  const sites = yield* SiteExports
  return (request: ApiRequest): Effect.Effect<ApiResponse> => {
    const signed = parseExportUrl(request.url)
    if (signed === undefined) return Effect.succeed(unknownPath())
    const { archive, signature } = signed
    const download =
      "site" in archive
        ? sites.download.decoded({ siteArchive: archive, signature })
        : exports.download.decoded({ archive, signature })
    return download.pipe(
      Effect.map((found): ApiResponse => {
        if (found === undefined) return unknownPath()
        if (!("busy" in found)) return responseOf(archive.name, found)
        return found.busy === "organization" ? tooManyExports() : toResponse(new Overloaded({}))
      }),
      Effect.catch((error) => Effect.succeed(toResponse(error)))
    )
  }
})
