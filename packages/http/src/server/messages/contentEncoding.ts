/**
 * Compresses responses (RFC 9110, section 8.4), and decompresses requests.
 *
 * Responses with `Cache-Control: no-store` are not compressed: some have secrets, and the size of a compressed response
 * can reveal a secret to an attacker who controls another part of it (BREACH).
 */
import * as NodeStream from "@effect/platform-node-shared/NodeStream"
import { InvalidInput } from "@lectern/core"
import { Effect } from "effect"
import { limitBytes } from "./byteStreams.ts"
import {
  type Coding,
  codings,
  compress,
  createCompressor,
  createDecompressor,
  decompress,
  type Effort,
  negotiateCoding
} from "./codings.ts"
import { BodyTooLarge } from "./failures.ts"
import {
  type ApiRequest,
  type ApiResponse,
  addVary,
  byteLengthOf,
  isStreamedBody,
  type ResponseBody
} from "./Message.ts"

/** A smaller body fits into one packet, so that its compression saves nothing. */
const minCompressedBytes = 1024

/** Media types that compress well. Images, archives and PDFs are compressed already; events must not be buffered. */
const compressibleTypes =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml|yaml|x-yaml)|image\/svg\+xml|[\w.-]+\/[\w.-]+\+(?:json|xml|yaml))/i

/** The tag of a representation in a coding, as in `"abc.gzip"`: other bytes have another strong tag (section 8.8.3.3). */
const tagInCoding = (tag: string, coding: Coding): string =>
  tag.startsWith("W/") ? tag : `${tag.slice(0, -1)}.${coding}"`

const codingSuffix = new RegExp(`\\.(?:${codings.join("|")})"`, "g")

const conditionHeaders = new Set(["if-match", "if-none-match"])

/** Returns the request as routes see it: the tags of its conditions without their coding. `If-Range` never matches one. */
export const withoutCodingsInTags = (request: ApiRequest): ApiRequest => {
  const { header } = request
  const hasCoding = [...conditionHeaders].some((name) => header(name)?.includes(".") === true)
  if (!hasCoding) return request
  return {
    ...request,
    header: (name) => (conditionHeaders.has(name) ? header(name)?.replace(codingSuffix, '"') : header(name))
  }
}

/** Declares a 304 for the representation that the client has. */
const restoreTag = (request: ApiRequest, { headers }: ApiResponse): void => {
  const { etag } = headers
  const condition = request.header("if-none-match")
  if (etag === undefined || condition === undefined) return
  const coding = codings.find((name) => condition.includes(tagInCoding(etag, name)))
  if (coding !== undefined) headers.etag = tagInCoding(etag, coding)
}

/**
 * Returns the coding of a response, or `undefined` if it is sent unchanged. Sets `Vary` if the response depends on
 * `Accept-Encoding`.
 */
export const selectCoding = (request: ApiRequest, response: ApiResponse): Coding | undefined => {
  const { status, headers, body } = response
  if (status === 304) {
    addVary(response, "Accept-Encoding")
    restoreTag(request, response)
    return undefined
  }
  if (body === undefined || status === 206 || headers["content-encoding"] !== undefined) return undefined
  if (!compressibleTypes.test(headers["content-type"] ?? "")) return undefined
  if (/no-store|no-transform/.test(headers["cache-control"] ?? "")) return undefined
  if ((byteLengthOf(body) ?? minCompressedBytes) < minCompressedBytes) return undefined
  addVary(response, "Accept-Encoding")
  const accepted = request.header("accept-encoding")
  // A range applies to the bytes of the file, and a client that requests one continues with those.
  if (
    accepted === undefined ||
    (request.header("range") !== undefined && headers["accept-ranges"] !== undefined)
  )
    return undefined
  return negotiateCoding(accepted)
}

/** Compressed bodies, by the bytes of bodies that several responses share. Concurrent requests wait for the same one. */
const compressedBodies = new WeakMap<Uint8Array, Map<Coding, Promise<Uint8Array>>>()

const compressOnce = (bytes: Uint8Array, coding: Coding, effort: Effort): Promise<Uint8Array> => {
  const byCoding = compressedBodies.get(bytes) ?? new Map<Coding, Promise<Uint8Array>>()
  compressedBodies.set(bytes, byCoding)
  const compressed = byCoding.get(coding) ?? compress(bytes, coding, effort)
  byCoding.set(coding, compressed)
  return compressed
}

const compressBody = (body: ResponseBody, coding: Coding, effort: Effort): Effect.Effect<ResponseBody> => {
  if (typeof body === "string") return Effect.promise(() => compress(Buffer.from(body), coding, effort))
  if (!isStreamedBody(body)) return Effect.promise(() => compressOnce(body, coding, effort))
  const stream = NodeStream.pipeThroughSimple(body.stream, () => createCompressor(coding))
  return Effect.succeed({ stream, length: undefined })
}

/** Compresses a response. That to HEAD has the same headers, without a length, because its body is not produced. */
export const encodeResponse = (
  response: ApiResponse,
  coding: Coding,
  hasBody: boolean
): Effect.Effect<ApiResponse> => {
  const { "accept-ranges": _, ...headers } = response.headers
  headers["content-encoding"] = coding
  if (headers.etag !== undefined) headers.etag = tagInCoding(headers.etag, coding)
  if (!hasBody) return Effect.succeed({ ...response, headers, body: undefined })
  const effort = response.isStatic === true ? "best" : "fast"
  return Effect.map(compressBody(response.body!, coding, effort), (body) => ({ ...response, headers, body }))
}

const invalidEncoding = (coding: Coding): InvalidInput =>
  new InvalidInput({
    reason: "InvalidFields",
    message: `The request body is not encoded with ${coding}, as its Content-Encoding declares.`,
    details: []
  })

/**
 * Returns a request with a decompressed body, if it declares one supported coding. The limits apply to both the compressed
 * and the decompressed body, so that a small request cannot fill the memory.
 */
export const decodeRequest = (request: ApiRequest, bodyLimit: number): ApiRequest => {
  const declared = request.header("content-encoding")?.trim().toLowerCase()
  const coding = codings.find((name) => name === declared)
  if (coding === undefined) return request
  const { header } = request
  return {
    ...request,
    header: (name) => (name === "content-encoding" || name === "content-length" ? undefined : header(name)),
    body: Effect.flatMap(request.body, (bytes) =>
      Effect.tryPromise({
        try: () => decompress(bytes, coding, bodyLimit),
        catch: (error) =>
          error instanceof RangeError ? new BodyTooLarge({ limit: bodyLimit }) : invalidEncoding(coding)
      })
    ),
    streamBody: (limit, source) =>
      limitBytes(
        NodeStream.pipeThroughDuplex(request.streamBody(limit, source), {
          evaluate: () => createDecompressor(coding),
          onError: () => invalidEncoding(coding)
        }),
        limit,
        () => new BodyTooLarge({ limit })
      )
  }
}
