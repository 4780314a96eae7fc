/** Serves exports. Their URLs are signed, need no token and expire after an hour. */
import { type ExportAddress, Exports, exportsPath } from "@lectern/core"
import { Effect } from "effect"
import { toResponse, unknownPath } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"
import { contentDispositionOf } from "./fileDownloads.ts"

const contentType = "application/zip"

/** Parses the URL of an export and its signature. Returns `undefined` if it is malformed. */
const parseExportUrl = (url: string): readonly [address: ExportAddress, signature: string] | undefined => {
  const [path, query] = url.split("?", 2)
  const parts = path!.slice(exportsPath.length).split("/")
  const parameters = new URLSearchParams(query)
  const [expires, signature] = [parameters.get("expires"), parameters.get("signature")]
  if (parts.length !== 3 || signature === null || !/^\d{1,12}$/.test(expires ?? "")) return undefined
  try {
    const [space, revision, name] = parts.map(decodeURIComponent) as [string, string, string]
    return [{ space, revision, name, expires: Number(expires) }, signature]
  } catch {
    return undefined
  }
}

/**
 * Creates the route that serves exports, which are sent while they are produced. It responds with 404 to invalid signatures
 * and with 410 to expired URLs.
 */
export const makeExportDownloads = Effect.map(
  Exports,
  (exported) =>
    (request: ApiRequest): Effect.Effect<ApiResponse> => {
      const parsed = parseExportUrl(request.url)
      if (parsed === undefined) return Effect.succeed(unknownPath())
      const [address, signature] = parsed
      return exported.download.decoded({ archive: address, signature }).pipe(
        Effect.map((stream): ApiResponse => {
          if (stream === undefined) return unknownPath()
          return {
            status: 200,
            headers: {
              "content-type": contentType,
              "cache-control": "private, no-store",
              "x-content-type-options": "nosniff",
              "referrer-policy": "no-referrer",
              "content-disposition": contentDispositionOf({ name: address.name, contentType })
            },
            body: { stream, length: undefined }
          }
        }),
        Effect.catch((error) => Effect.succeed(toResponse(error)))
      )
    }
)
