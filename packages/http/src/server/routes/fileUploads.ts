/** Receives files at signed URLs, which need no token and expire after an hour. */
import { UploadAddress, Uploads, uploadsPath } from "@lectern/core"
import { Effect, Schema } from "effect"
import { toResponse, unknownMethod, unknownPath } from "../messages/failures.ts"
import { type ApiRequest, type ApiResponse, emptyResponse } from "../messages/Message.ts"

const decodeAddress = Schema.decodeUnknownOption(UploadAddress)

/** Parses the URL of an upload. Returns `undefined` if it is malformed. */
const parseUploadUrl = (url: string) => {
  const [path = "", query] = url.split("?", 2)
  const parameters = new URLSearchParams(query)
  const [expires, signature] = [parameters.get("expires"), parameters.get("signature")]
  if (signature === null || !/^\d{1,12}$/.test(expires ?? "")) return undefined
  const address = decodeAddress({ key: path.slice(uploadsPath.length), expires: Number(expires) })
  return address._tag === "None" ? undefined : { upload: address.value, signature }
}

/** Returns the SHA-256 in a digest header (RFC 9530), in URL-safe base64 without padding; undefined without one. */
const sha256In = (header: string | undefined): string | undefined => {
  const encoded = /(?:^|,)\s*sha-256\s*=\s*:([A-Za-z\d+/]{43}=):/.exec(header ?? "")?.[1]
  return encoded?.slice(0, 43).replaceAll("+", "-").replaceAll("/", "_")
}

/**
 * Creates the route that receives uploads of at most `uploadLimit` bytes. It responds with 204 once the file is stored, with
 * 404 to invalid signatures, and with 410 to expired URLs.
 */
export const makeFileUploads = (uploadLimit: number) =>
  Effect.map(Uploads, ({ receive }) => (request: ApiRequest): Effect.Effect<ApiResponse> => {
    const { header, method, streamBody, url } = request
    const signed = parseUploadUrl(url)
    if (signed === undefined) return Effect.succeed(unknownPath())
    if (method !== "PUT") return Effect.succeed(unknownMethod(method, ["PUT"]))
    const isEncoded = header("content-encoding") !== undefined
    const length = isEncoded ? undefined : header("content-length")
    return receive({
      ...signed,
      contentLength: length === undefined ? undefined : Number(length),
      // The content digest of a compressed body is that of the compressed bytes.
      digest: sha256In(header("repr-digest")) ?? (isEncoded ? undefined : sha256In(header("content-digest"))),
      read: (size, { id, user, organization }) =>
        streamBody(Math.min(size, uploadLimit), { url: id, user, organization })
    }).pipe(
      Effect.map((isStored) =>
        isStored ? emptyResponse(204, { "cache-control": "no-store" }) : unknownPath()
      ),
      Effect.catch((error) => Effect.succeed(toResponse(error)))
    )
  })
