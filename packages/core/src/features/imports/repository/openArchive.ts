/** Opens archives: finds their files, and loads them one at a time. */

import { commonFolderOf, endLength, findEnd, unpackedLimit, type ZipEntry } from "@lectern/formats"
import { bounds } from "@lectern/model/imports"
import { Effect } from "effect"
import { type FetchError, type ImportContext, mapNotReadable, urlError } from "../ImportContext.ts"

/** An archive whose files are loaded one at a time. */
export interface OpenArchive {
  /** The paths and sizes of the files, without the only folder at the top, as in archives of repositories. */
  readonly files: ReadonlyArray<readonly [path: string, size: number]>
  /** Files that cannot be imported, and why. */
  readonly skipped: ReadonlyArray<{ readonly path: string; readonly reason: string }>
  /** The size of the archive in bytes, which is compressed. */
  readonly transferSize: number
  /** The comment of the archive, where `git archive` writes the commit. */
  readonly comment: string
  /** Loads a file. */
  readonly load: (path: string) => Effect.Effect<Uint8Array, FetchError>
}

const openZip = Effect.fnUntraced(function* (
  { read, limits }: ImportContext,
  bytes: Uint8Array,
  isPart = false
): Effect.fn.Return<OpenArchive, FetchError> {
  const end = findEnd(bytes)
  if (end < 0) return yield* urlError("points to an archive that is truncated")
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = view.getUint16(end + 10, true)
  const [length, start] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)]
  // Archives of more than 65,535 files have their number in an extension.
  if (count > bounds.archiveFiles || count === 0xffff) {
    return yield* urlError(`points to an archive of more than ${bounds.archiveFiles} files`)
  }
  if (start + length > end) return yield* urlError("points to an archive that cannot be unpacked")
  const commentLength = view.getUint16(end + 20, true)
  const comment = new TextDecoder("latin1").decode(
    bytes.subarray(end + endLength, end + endLength + commentLength)
  )
  const directory = bytes.slice(start, start + length)
  const { entries, skipped } = yield* mapNotReadable(
    read("zipIndex", { bytes: directory, count, unpackedBytes: unpackedLimit(limits) })
  )
  // Other requests run between the passes over the entries, which an archive can have very many of.
  yield* Effect.yieldNow
  const folder = isPart ? "" : commonFolderOf([...entries, ...skipped].map(({ path }) => path))
  yield* Effect.yieldNow
  const byPath = new Map(entries.map((entry) => [entry.path.slice(folder.length), entry]))

  const slice = ({ offset, packedSize }: ZipEntry): Uint8Array | undefined => {
    if (offset + 30 > bytes.length || view.getUint32(offset, true) !== 0x0403_4b50) return undefined
    const from = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
    return from + packedSize > bytes.length ? undefined : bytes.slice(from, from + packedSize)
  }
  return {
    files: [...byPath].map(([path, { size }]) => [path, size] as const),
    skipped: skipped.map(({ path, reason }) => ({ path: path.slice(folder.length), reason })),
    transferSize: bytes.length,
    comment,
    load: Effect.fnUntraced(function* (path) {
      const entry = byPath.get(path)
      const packed = entry === undefined ? undefined : slice(entry)
      if (entry === undefined || packed === undefined) {
        return yield* urlError("points to an archive that cannot be unpacked")
      }
      const { method, size } = entry
      return yield* mapNotReadable(read("zipEntry", { bytes: packed, method, size }))
    })
  }
})

const openTar = Effect.fnUntraced(function* (
  { read, limits }: ImportContext,
  bytes: Uint8Array
): Effect.fn.Return<OpenArchive, FetchError> {
  const { files, skipped, comment } = yield* mapNotReadable(
    read("tar", { bytes, unpackedBytes: unpackedLimit(limits) })
  )
  const folder = commonFolderOf([...files, ...skipped].map(({ path }) => path))
  const byPath = new Map(files.map((file) => [file.path.slice(folder.length), file.bytes]))
  return {
    files: [...byPath].map(([path, content]) => [path, content.length] as const),
    skipped: skipped.map(({ path, reason }) => ({ path: path.slice(folder.length), reason })),
    transferSize: bytes.length,
    comment,
    load: (path) => {
      const content = byPath.get(path)
      return content === undefined
        ? Effect.fail(urlError("points to an archive that cannot be unpacked"))
        : Effect.succeed(content)
    }
  }
})

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** The maximum number of parts that an archive consists of. */
const maximumParts = 20

/** Opens the archives that an archive consists of: Notion divides exports into parts. Other archives are returned unchanged. */
const openParts = Effect.fnUntraced(function* (
  context: ImportContext,
  archive: OpenArchive
): Effect.fn.Return<OpenArchive, FetchError> {
  const { files, skipped, transferSize, comment } = archive
  const isDivided = files.length > 0 && files.every(([path]) => /\.zip$/i.test(path))
  if (!isDivided || files.length > maximumParts) return archive
  const parts = new Map<string, OpenArchive>()
  const opened: Array<OpenArchive> = []
  for (const [path] of files) {
    const part = yield* openZip(context, yield* archive.load(path), true)
    opened.push(part)
    for (const [inner] of part.files) if (!parts.has(inner)) parts.set(inner, part)
  }
  const sizes = new Map(opened.toReversed().flatMap((part) => part.files))
  return {
    files: [...sizes],
    skipped: [...skipped, ...opened.flatMap((part) => part.skipped)],
    transferSize,
    comment,
    load: (path) => (parts.get(path) ?? archive).load(path)
  }
})

/** Opens a ZIP archive, or a tar archive, which can be compressed with gzip. The bytes determine the format. */
export const openArchive = (
  context: ImportContext,
  bytes: Uint8Array
): Effect.Effect<OpenArchive, FetchError> => {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    return Effect.flatMap(openZip(context, bytes), (archive) => openParts(context, archive))
  }
  const magic = new TextDecoder("latin1").decode(bytes.subarray(257, 262))
  if (isGzip(bytes) || magic === "ustar") return openTar(context, bytes)
  return Effect.fail(urlError("points to a file that is not a zip archive or a tarball"))
}
