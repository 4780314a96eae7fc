/**
 * Unpacks whole zip archives within limits: docx documents. Sizes are counted while inflating, since headers can be forged,
 * and paths outside of the archive are rejected.
 */

import { importBounds, NotReadable, type Unpacked } from "@lectern/formats/threads"
import { Unzip, UnzipInflate, UnzipPassThrough } from "fflate"
import { normalizeArchivePath, notReadable } from "./archivePaths.ts"

/** The maximum number of files in an archive. */
const maxFiles = 10_000

/**
 * The number of bytes that are inflated at a time. Deflate expands by up to 1000 times, so one step yields up to 16 MB.
 */
const chunkBytes = 16 * 1024

/** Concatenates chunks whose lengths add up to `size`. */
export const concatChunks = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/** Fails for an archive without the record at its end. */
const requireEnd = (bytes: Uint8Array): void => {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 1000); at--) {
    if (bytes[at] === 0x50 && bytes[at + 1] === 0x4b && bytes[at + 2] === 0x05 && bytes[at + 3] === 0x06)
      return
  }
  throw notReadable("points to an archive that is truncated")
}

/** Returns the files of an archive in their order. Throws `NotReadable`. */
export const readZip = (bytes: Uint8Array): ReadonlyArray<Unpacked> => {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) throw notReadable("points to a file that is not a zip archive")
  requireEnd(bytes)
  const files: Array<Unpacked> = []
  const paths = new Set<string>()
  let [remainingBytes, count]: [number, number] = [importBounds.unpackedBytes, 0]
  const stream = new Unzip((file) => {
    if (++count > maxFiles) throw notReadable(`points to an archive of more than ${maxFiles} files`)
    const path = normalizeArchivePath(file.name)
    if (path === undefined) return
    if (paths.has(path)) throw notReadable("points to an archive with two files of the same path")
    paths.add(path)
    const chunks: Array<Uint8Array> = []
    let size = 0
    file.ondata = (error, chunk, isLast) => {
      if (error !== null) {
        throw error instanceof NotReadable
          ? error
          : notReadable("points to an archive that cannot be unpacked")
      }
      size += chunk.length
      remainingBytes -= chunk.length
      if (remainingBytes < 0) {
        throw notReadable(
          `points to a file that unpacks to more than ${importBounds.unpackedBytes >> 20} MiB`
        )
      }
      chunks.push(chunk)
      if (isLast) files.push({ path, bytes: concatChunks(chunks, size) })
    }
    file.start()
  })
  stream.register(UnzipInflate)
  stream.register(UnzipPassThrough)
  try {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      stream.push(bytes.subarray(at, at + chunkBytes), at + chunkBytes >= bytes.length)
    }
  } catch (error) {
    throw error instanceof NotReadable ? error : notReadable("points to an archive that cannot be unpacked")
  }
  if (files.length < paths.size) throw notReadable("points to an archive that cannot be unpacked")
  return files
}
