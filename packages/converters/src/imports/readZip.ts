/**
 * Archives: unpacked no further than their bounds. What an archive says of the sizes of its files is not believed, and
 * a name that leads out of it is refused.
 */

import { importBounds, NotReadable, type Readings, type Unpacked } from "@lectern/core/conversion"
import { Unzip, UnzipInflate, UnzipPassThrough } from "fflate"

/** The most files of an archive. */
const maximumFiles = 10_000

/** How much is unpacked in one go: what is compressed best grows a thousandfold. */
const chunkBytes = 16 * 1024

const not = (message: string): NotReadable => new NotReadable({ message })

/** The path of a file, with slashes; undefined of what is nobody's content. */
const pathOf = (name: string): string | undefined => {
  const path = name.replaceAll("\\", "/")
  const parts = path.split("/")
  if (path.startsWith("/") || /^[a-z]:/i.test(path) || path.includes("\0") || parts.includes("..")) {
    throw not("leads to an archive with a file whose name leads out of it")
  }
  if (path.length > 1000) throw not("leads to an archive with a file whose name is too long")
  const isHidden = parts.some((part) => part === "__MACOSX" || (part.startsWith(".") && part !== "."))
  return path.endsWith("/") || isHidden
    ? undefined
    : parts.filter((part) => part !== "" && part !== ".").join("/")
}

/** Chunks as one, of this many bytes together. */
export const concatenated = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/** The comment at the end of an archive: one that was made by git names the commit there. */
const commentOf = (bytes: Uint8Array): string => {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 1000); at--) {
    if (bytes[at] !== 0x50 || bytes[at + 1] !== 0x4b || bytes[at + 2] !== 0x05 || bytes[at + 3] !== 0x06)
      continue
    const length = bytes[at + 20]! | (bytes[at + 21]! << 8)
    return new TextDecoder("latin1").decode(bytes.subarray(at + 22, at + 22 + length))
  }
  throw not("leads to an archive that breaks off")
}

/** The files of an archive, in its order. */
export const readZip = ({ bytes }: Readings["zip"]["in"]): Readings["zip"]["out"] => {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) throw not("leads to no zip archive")
  const comment = commentOf(bytes)
  const files: Array<Unpacked> = []
  const paths = new Set<string>()
  let [left, count]: [number, number] = [importBounds.unpackedBytes, 0]
  const stream = new Unzip((file) => {
    if (++count > maximumFiles) throw not(`leads to an archive of more than ${maximumFiles} files`)
    const path = pathOf(file.name)
    if (path === undefined) return
    if (paths.has(path)) throw not("leads to an archive that has two files of one name")
    paths.add(path)
    const chunks: Array<Uint8Array> = []
    let size = 0
    file.ondata = (error, chunk, isLast) => {
      if (error !== null) {
        throw error instanceof NotReadable ? error : not("leads to an archive that cannot be unpacked")
      }
      size += chunk.length
      left -= chunk.length
      if (left < 0) {
        throw not(`leads to an archive that unpacks to more than ${importBounds.unpackedBytes >> 20} MiB`)
      }
      chunks.push(chunk)
      if (isLast) files.push({ path, bytes: concatenated(chunks, size) })
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
    throw error instanceof NotReadable ? error : not("leads to an archive that cannot be unpacked")
  }
  if (files.length < paths.size) throw not("leads to an archive that cannot be unpacked")
  return { files, comment }
}
