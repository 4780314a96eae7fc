/** Serves exports. Their URLs are signed, need no token and expire after an hour. */
import { type ExportAddress, Exports, exportsPath, type SiteExportAddress, SiteExports } from "@lectern/core"
import { Effect } from "effect"
import { toResponse, unknownPath } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"
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

/**
 * Creates the route that serves exports, which are sent while they are produced. It responds with 404 to invalid signatures
 * and with 410 to expired URLs.
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
      Effect.map((stream): ApiResponse => {
        if (stream === undefined) return unknownPath()
        return {
          status: 200,
          headers: {
            "content-type": contentType,
            "cache-control": "private, no-store",
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "content-disposition": contentDispositionOf({ name: archive.name, contentType })
          },
          body: { stream, length: undefined }
        }
      }),
      Effect.catch((error) => Effect.succeed(toResponse(error)))
    )
  }
})
