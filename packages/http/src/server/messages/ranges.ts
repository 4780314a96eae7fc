/** Range requests (RFC 9110, section 14): a part of a download, to resume it or to seek in it. */
import { sliceBytes } from "./byteStreams.ts"
import { rangeNotSatisfiable } from "./failures.ts"
import {
  type ApiRequest,
  type ApiResponse,
  byteLengthOf,
  isStreamedBody,
  type ResponseBody
} from "./Message.ts"

/** The header of responses that {@link applyRange} can divide. */
export const acceptRanges = { "accept-ranges": "bytes" } as const

const rangePattern = /^bytes=[ \t]*(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))[ \t]*$/i

/** A range of bytes: the first, and the one after the last. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Parses a `Range` header. Returns `undefined` for a header that the server ignores: other units, several ranges, and
 * malformed ones. An unsatisfiable range is empty.
 */
const parseRange = (header: string, length: number): ByteRange | undefined => {
  const [, first, last, suffix] = rangePattern.exec(header) ?? []
  if (suffix !== undefined) return { start: Math.max(0, length - Number(suffix)), end: length }
  if (first === undefined) return undefined
  if (last !== undefined && Number(last) < Number(first)) return undefined
  return { start: Number(first), end: last === undefined ? length : Math.min(length, Number(last) + 1) }
}

/** Whether `If-Range` is absent, or has the tag of the response. Compared strongly: a weak tag never matches. */
const isCurrent = (request: ApiRequest, { headers }: ApiResponse): boolean => {
  const condition = request.header("if-range")
  return condition === undefined || (condition === headers.etag && !condition.startsWith("W/"))
}

const sliceBody = (body: ResponseBody, { start, end }: ByteRange): ResponseBody =>
  isStreamedBody(body)
    ? { stream: body.slice?.(start, end) ?? sliceBytes(body.stream, start, end), length: end - start }
    : (typeof body === "string" ? Buffer.from(body) : body).subarray(start, end)

/**
 * Replaces a response by the part that the `Range` header requests: 206 with one range, 416 if the body has no such bytes.
 * Applies to successful responses to GET with `Accept-Ranges: bytes` and a body of known length. `If-Range` with another
 * tag, and headers that the server does not support, return the whole response.
 */
export const applyRange = (request: ApiRequest, response: ApiResponse): ApiResponse => {
  const { status, headers, body } = response
  if (headers["accept-ranges"] !== acceptRanges["accept-ranges"]) return response
  const header = request.header("range")
  if (header === undefined || request.method !== "GET" || status !== 200 || body === undefined)
    return response
  const length = byteLengthOf(body)
  const range = length === undefined ? undefined : parseRange(header, length)
  if (length === undefined || range === undefined || !isCurrent(request, response)) return response
  if (range.start >= range.end) return rangeNotSatisfiable(length)
  const contentRange = `bytes ${range.start}-${range.end - 1}/${length}`
  return { status: 206, headers: { ...headers, "content-range": contentRange }, body: sliceBody(body, range) }
}
