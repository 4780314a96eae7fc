/** Unpacks tar archives, plain or compressed with gzip, within limits. Sizes are counted while inflating. */
import { importBounds, type Readings, type Unpacked } from "@lectern/formats/threads"
import { Gunzip } from "fflate"
import { decodeName, normalizeArchivePath, notReadable, unpacksToMore } from "./archivePaths.ts"
import { concatChunks } from "./readZip.ts"

/** The length of headers, which file contents are padded to. */
const blockLength = 512

/** The number of bytes that are inflated at a time. */
const chunkBytes = 16 * 1024

const failed = () => notReadable("points to an archive that cannot be unpacked")

const gunzip = (bytes: Uint8Array, unpackedBytes: number): Uint8Array => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  const stream = new Gunzip((chunk) => {
    size += chunk.length
    if (size > unpackedBytes) throw unpacksToMore("an archive that unpacks", unpackedBytes)
    chunks.push(chunk)
  })
  try {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      stream.push(bytes.subarray(at, at + chunkBytes), at + chunkBytes >= bytes.length)
    }
  } catch (error) {
    throw error instanceof Error && "_tag" in error ? error : failed()
  }
  return concatChunks(chunks, size)
}

/** Returns the text of a field, which ends with a NUL character. */
const textIn = (bytes: Uint8Array, start: number, length: number): string => {
  const field = bytes.subarray(start, start + length)
  const end = field.indexOf(0)
  return decodeName(end < 0 ? field : field.subarray(0, end))
}

/** Returns a number in octal digits. */
const octalIn = (bytes: Uint8Array, start: number, length: number): number => {
  const digits = textIn(bytes, start, length).trim()
  if (!/^[0-7]*$/.test(digits)) throw failed()
  return Number.parseInt(digits || "0", 8)
}

/** Returns the values of an extended header: lines of a length, a keyword and a value. */
const readExtended = (bytes: Uint8Array): ReadonlyMap<string, string> => {
  const values = new Map<string, string>()
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at)
    const length = Number(decodeName(bytes.subarray(at, space)))
    if (space < 0 || !Number.isSafeInteger(length) || length <= 0) break
    const [keyword = "", ...value] = decodeName(bytes.subarray(space + 1, at + length - 1)).split("=")
    values.set(keyword, value.join("="))
    at += length
  }
  return values
}

/** Returns the files of an archive in their order, and the commit that `git archive` writes. Throws `NotReadable`. */
export const readTar = ({
  bytes: packed,
  unpackedBytes = importBounds.unpackedBytes
}: Readings["tar"]["in"]): Readings["tar"]["out"] => {
  const bytes = packed[0] === 0x1f && packed[1] === 0x8b ? gunzip(packed, unpackedBytes) : packed
  if (textIn(bytes, 257, 5) !== "ustar") throw notReadable("points to a file that is not a tar archive")
  const files: Array<Unpacked> = []
  const skipped: Array<{ readonly path: string; readonly reason: string }> = []
  const paths = new Set<string>()
  let comment = ""
  let extended: ReadonlyMap<string, string> = new Map()
  let longName: string | undefined
  let remainingBytes = unpackedBytes
  for (let at = 0; at + blockLength <= bytes.length && bytes[at] !== 0; ) {
    const header = bytes.subarray(at, at + blockLength)
    const size = octalIn(header, 124, 12)
    const type = String.fromCharCode(header[156]!)
    const content = bytes.subarray(at + blockLength, at + blockLength + size)
    if (content.length < size) throw notReadable("points to an archive that is truncated")
    at += blockLength + Math.ceil(size / blockLength) * blockLength
    if (type === "g") {
      comment = readExtended(content).get("comment") ?? comment
      continue
    }
    if (type === "x") {
      extended = readExtended(content)
      continue
    }
    if (type === "L") {
      longName = textIn(content, 0, size)
      continue
    }
    const prefix = textIn(header, 345, 155)
    const name =
      extended.get("path") ?? longName ?? (prefix === "" ? "" : `${prefix}/`) + textIn(header, 0, 100)
    extended = new Map()
    longName = undefined
    const path = type === "5" ? undefined : normalizeArchivePath(name)
    if (path === undefined) continue
    if (type !== "0" && type !== "\0" && type !== "7") {
      skipped.push({ path, reason: "The file is a link or a device." })
      continue
    }
    if (paths.has(path)) throw notReadable("points to an archive with two files of the same path")
    paths.add(path)
    if (paths.size > importBounds.archiveFiles) {
      throw notReadable(`points to an archive of more than ${importBounds.archiveFiles} files`)
    }
    remainingBytes -= size
    if (remainingBytes < 0) throw failed()
    files.push({ path, bytes: content.slice() })
  }
  return { files, comment, skipped }
}
