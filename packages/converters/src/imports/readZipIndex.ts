/**
 * Reads the central directory of a ZIP archive. Files are inflated one at a time, by `readZipEntry`, so that an archive of
 * any size takes little memory.
 */
import { importBounds, type Readings, type ZipEntry } from "@lectern/formats/threads"
import { decodeName, normalizeArchivePath, notReadable, unpacksToMore } from "./archivePaths.ts"

/** The length of the fixed part of an entry of the central directory. */
const entryLength = 46

/** The value of 32-bit fields whose real value is in a ZIP64 extension. */
const zip64Marker = 0xffff_ffff

/** The file type of symbolic links in Unix modes, and the mask of the file type. */
const [symbolicLink, fileTypeMask] = [0o120000, 0o170000]

/** Returns the entries of a central directory. Throws `NotReadable`. */
export const readZipIndex = ({
  bytes,
  count,
  unpackedBytes = importBounds.unpackedBytes
}: Readings["zipIndex"]["in"]): Readings["zipIndex"]["out"] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries: Array<ZipEntry> = []
  const skipped: Array<{ readonly path: string; readonly reason: string }> = []
  const paths = new Set<string>()
  let remainingBytes = unpackedBytes
  let at = 0
  for (let index = 0; index < count; index++) {
    if (at + entryLength > bytes.length || view.getUint32(at, true) !== 0x0201_4b50) {
      throw notReadable("points to an archive that cannot be unpacked")
    }
    const flags = view.getUint16(at + 8, true)
    const method = view.getUint16(at + 10, true)
    const [packedSize, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)]
    const nameLength = view.getUint16(at + 28, true)
    const mode = view.getUint32(at + 38, true) >>> 16
    const offset = view.getUint32(at + 42, true)
    const name = decodeName(bytes.subarray(at + entryLength, at + entryLength + nameLength))
    at += entryLength + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    const path = normalizeArchivePath(name)
    if (path === undefined) continue
    if (paths.has(path)) throw notReadable("points to an archive with two files of the same path")
    paths.add(path)
    if ((mode & fileTypeMask) === symbolicLink) skipped.push({ path, reason: "The file is a symbolic link." })
    else if ((flags & 1) !== 0) throw notReadable("points to an archive that is encrypted")
    else if (method !== 0 && method !== 8) {
      skipped.push({ path, reason: "The file has a compression method that is not supported." })
    } else {
      if ([packedSize, size, offset].includes(zip64Marker)) {
        throw notReadable("points to an archive with a file that is larger than 4 GiB")
      }
      remainingBytes -= size
      if (remainingBytes < 0) {
        throw unpacksToMore("an archive that unpacks", unpackedBytes)
      }
      entries.push({ path, offset, packedSize, size, method })
    }
  }
  return { entries, skipped }
}
