/** The codings of HTTP content: gzip, Brotli and Zstandard. They run in threads of Node, not on the event loop. */
import { promisify } from "node:util"
import * as zlib from "node:zlib"

/** A coding of `Content-Encoding`. */
export type Coding = "br" | "gzip" | "zstd"

/** The supported codings. The first is chosen among codings that a client prefers equally: it compresses best for its time. */
export const codings: ReadonlyArray<Coding> = ["br", "zstd", "gzip"]

/** How much time to spend: `fast` for one response, `best` for a body that is compressed once and then cached. */
export type Effort = "fast" | "best"

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, ZSTD_c_compressionLevel } = zlib.constants

const brotliOptions = (effort: Effort, size = 0): zlib.BrotliOptions => ({
  params: { [BROTLI_PARAM_QUALITY]: effort === "fast" ? 4 : 9, [BROTLI_PARAM_SIZE_HINT]: size }
})
const gzipOptions = (effort: Effort): zlib.ZlibOptions => ({ level: effort === "fast" ? 5 : 9 })
const zstdOptions = (effort: Effort): zlib.ZstdOptions => ({
  params: { [ZSTD_c_compressionLevel]: effort === "fast" ? 3 : 15 }
})

const [gzip, brotli, zstd] = [
  promisify<zlib.InputType, zlib.ZlibOptions, Uint8Array>(zlib.gzip),
  promisify<zlib.InputType, zlib.BrotliOptions, Uint8Array>(zlib.brotliCompress),
  promisify<zlib.InputType, zlib.ZstdOptions, Uint8Array>(zlib.zstdCompress)
]

/** Compresses bytes. */
export const compress = (bytes: Uint8Array, coding: Coding, effort: Effort): Promise<Uint8Array> =>
  coding === "gzip"
    ? gzip(bytes, gzipOptions(effort))
    : coding === "br"
      ? brotli(bytes, brotliOptions(effort, bytes.length))
      : zstd(bytes, zstdOptions(effort))

/** Creates a transform that compresses a stream. */
export const createCompressor = (coding: Coding) =>
  coding === "gzip"
    ? zlib.createGzip(gzipOptions("fast"))
    : coding === "br"
      ? zlib.createBrotliCompress(brotliOptions("fast"))
      : zlib.createZstdCompress(zstdOptions("fast"))

const [gunzipBytes, brotliDecompress, zstdDecompress] = [
  promisify<zlib.InputType, zlib.ZlibOptions, Uint8Array>(zlib.gunzip),
  promisify<zlib.InputType, zlib.BrotliOptions, Uint8Array>(zlib.brotliDecompress),
  promisify<zlib.InputType, zlib.ZstdOptions, Uint8Array>(zlib.zstdDecompress)
]

/** Decompresses bytes. Rejects with the code `ERR_BUFFER_TOO_LARGE` after more than `limit` bytes. */
export const decompress = (bytes: Uint8Array, coding: Coding, limit: number): Promise<Uint8Array> =>
  (coding === "gzip" ? gunzipBytes : coding === "br" ? brotliDecompress : zstdDecompress)(bytes, {
    maxOutputLength: Math.max(1, limit)
  })

/** Creates a transform that decompresses a stream. */
export const createDecompressor = (coding: Coding) =>
  coding === "gzip"
    ? zlib.createGunzip()
    : coding === "br"
      ? zlib.createBrotliDecompress()
      : zlib.createZstdDecompress()

const memberPattern = /^([a-z0-9*!#$%&'+.^_`|~-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

/**
 * Returns the coding that a client prefers according to its `Accept-Encoding` header, or `undefined` if it prefers none, or
 * if the header is malformed.
 */
export const negotiateCoding = (header: string): Coding | undefined => {
  const qualities = new Map<string, number>()
  for (const part of header.toLowerCase().split(",")) {
    const member = part.trim()
    if (member === "") continue
    const [matched, name, quality] = memberPattern.exec(member) ?? []
    if (matched === undefined) return undefined
    qualities.set(name!, quality === undefined ? 1 : Number(quality))
  }
  const qualityOf = (coding: string): number => qualities.get(coding) ?? qualities.get("*") ?? 0
  let preferred: Coding | undefined
  // No content coding is preferred only if the client lists it.
  let best = qualities.get("identity") ?? 0
  for (const coding of codings) {
    const quality = qualityOf(coding)
    if (quality > 0 && (preferred === undefined ? quality >= best : quality > best)) {
      preferred = coding
      best = quality
    }
  }
  return preferred
}
