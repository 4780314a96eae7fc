/**
 * Serves files. Their URLs are signed and need no token, so that browsers can load them as images and links. They are valid
 * while the viewer that they were created for can read the space.
 */
import { Content, collectScopes, type Download, downloadsPath, EdgeCaching, edgeHeaders } from "@lectern/core"
import { Effect } from "effect"
import { matchesEtag } from "../messages/etag.ts"
import { toResponse, unknownPath } from "../messages/failures.ts"
import { type ApiRequest, type ApiResponse, emptyResponse } from "../messages/Message.ts"
import { acceptRanges } from "../messages/ranges.ts"
import { servedType } from "./servedType.ts"

/** Content types that browsers display without running scripts. All others are downloaded as attachments. */
const inlineTypes =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)|audio\/.*|video\/.*|text\/plain|application\/pdf)$/i

/** Returns the `Content-Disposition` header of a download, with its file name in ASCII and in UTF-8. */
export const contentDispositionOf = ({
  name,
  contentType
}: Pick<Download, "name" | "contentType">): string => {
  const kind = inlineTypes.test(contentType) ? "inline" : "attachment"
  const asciiName = name.replace(/[^\x20-\x7e]|["\\%]/g, "_")
  const encodedName = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `${kind}; filename="${asciiName}"; filename*=UTF-8''${encodedName}`
}

/** The bytes at a URL never change. */
const clientCaching = "max-age=31536000, immutable"

const headersOf = (download: Download, etag: string): Record<string, string> => ({
  ...acceptRanges,
  etag,
  "cache-control": `private, ${clientCaching}`,
  // Files are untrusted: without the sandbox, their scripts would run with the origin of the API.
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "cross-origin",
  "content-disposition": contentDispositionOf(download)
})

/** Parses the URL of a download and its signature. Returns `undefined` if it is malformed. */
const parseDownloadUrl = (url: string): readonly [download: Download, signature: string] | undefined => {
  const [path, query] = url.split("?", 2)
  const parts = path!.slice(downloadsPath.length).split("/")
  const parameters = new URLSearchParams(query)
  const [contentType, viewer, signature] = ["type", "for", "signature"].map((name) => parameters.get(name))
  if (parts.length !== 3 || !contentType || !viewer || !signature) return undefined
  try {
    const [space, hash, name] = parts.map(decodeURIComponent)
    return [{ space, hash, name, contentType, viewer } as Download, signature]
  } catch {
    return undefined
  }
}

/** Creates the route that serves files. It responds with 404 to invalid signatures. */
export const makeFileDownloads = Effect.map(
  Effect.all([Content, EdgeCaching]),
  ([content, edge]) =>
    (request: ApiRequest): Effect.Effect<ApiResponse> => {
      const parsed = parseDownloadUrl(request.url)
      if (parsed === undefined) return Effect.succeed(unknownPath())
      const [download, signature] = parsed
      const scopes = new Set<string>()
      return collectScopes(scopes, content.download.decoded({ file: download, signature })).pipe(
        Effect.map((file): ApiResponse => {
          if (file === undefined) return unknownPath()
          const etag = `"${download.hash}"`
          const headers = headersOf(download, etag)
          if (file.isPublic && edge !== undefined)
            Object.assign(headers, edgeHeaders(edge, scopes, clientCaching))
          const cachedTag = request.header("if-none-match")
          if (cachedTag !== undefined && matchesEtag(cachedTag, etag)) return emptyResponse(304, headers)
          return {
            status: 200,
            headers: { ...headers, "content-type": servedType(download.contentType) },
            body: { stream: file.read(0, file.size), length: file.size, slice: file.read }
          }
        }),
        Effect.catch((error) => Effect.succeed(toResponse(error)))
      )
    }
)
