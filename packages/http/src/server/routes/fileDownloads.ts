/** Serves the bytes of files, to whoever has their address: it is signed, and needs no token (decision D7). */
import { Content, type Download, downloadsPath } from "@lectern/core"
import { Effect } from "effect"
import { matchesEtag } from "../messages/etag.ts"
import { toResponse, unknownPath } from "../messages/failures.ts"
import { type ApiRequest, type ApiResponse, empty } from "../messages/Message.ts"

/** Types that a browser shows without running anything of them; all others it is told to save. */
const inlineTypes =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)|audio\/.*|video\/.*|text\/plain|application\/pdf)$/i

/** The name of a file as a header has it: in ASCII, and in full. */
export const dispositionOf = ({ name, contentType }: Pick<Download, "name" | "contentType">): string => {
  const kind = inlineTypes.test(contentType) ? "inline" : "attachment"
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_")
  const full = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${full}`
}

const headersOf = (download: Download, etag: string): Record<string, string> => ({
  etag,
  "cache-control": "private, max-age=31536000, immutable",
  // What is in a file is somebody's: it must not act in the name of whoever looks at it.
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "cross-origin",
  "content-disposition": dispositionOf(download)
})

/** What an address names, with its signature; `undefined` where it cannot be one. */
const parseDownloadUrl = (url: string): readonly [download: Download, signature: string] | undefined => {
  const [path, query] = url.split("?", 2)
  const parts = path!.slice(downloadsPath.length).split("/")
  const parameters = new URLSearchParams(query)
  const [contentType, signature] = [parameters.get("type"), parameters.get("signature")]
  if (parts.length !== 3 || contentType === null || signature === null) return undefined
  try {
    const [space, hash, name] = parts.map(decodeURIComponent)
    return [{ space, hash, name, contentType } as Download, signature]
  } catch {
    return undefined
  }
}

/** Creates the route that serves files. */
export const makeFileDownloads = Effect.map(
  Content,
  (content) =>
    (request: ApiRequest): Effect.Effect<ApiResponse> => {
      const parsed = parseDownloadUrl(request.url)
      if (parsed === undefined) return Effect.succeed(unknownPath())
      const [download, signature] = parsed
      return content.download.decoded({ file: download, signature }).pipe(
        Effect.map((bytes): ApiResponse => {
          if (bytes === undefined) return unknownPath()
          const etag = `"${download.hash}"`
          const headers = headersOf(download, etag)
          const known = request.header("if-none-match")
          if (known !== undefined && matchesEtag(known, etag)) return empty(304, headers)
          return {
            status: 200,
            headers: { ...headers, "content-type": download.contentType },
            body: bytes
          }
        }),
        Effect.catch((error) => Effect.succeed(toResponse(error)))
      )
    }
)
