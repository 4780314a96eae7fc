/** Validates the paths of files in archives. */
import { NotReadable } from "@lectern/formats/threads"

/** The maximum number of characters of a path. */
const maxPathLength = 1000

/** Creates the error of a source whose files have more bytes than a limit. */
export const unpacksToMore = (source: string, limit: number): NotReadable =>
  notReadable(
    `points to ${source} to more than ${Math.floor(limit / 1024 / 1024)} MiB: remove large files, or have the operator of the server raise the limit with \`--import-max-archive-size\`, of which it is twice the size`
  )

/** Creates the error of an archive. The message continues "`url` …". */
export const notReadable = (message: string): NotReadable => new NotReadable({ message })

/**
 * Returns the normalized path of a file, or `undefined` for folders and metadata of macOS. Throws `NotReadable` for a path
 * that is too long, or refers to a place outside of the archive.
 */
export const normalizeArchivePath = (name: string): string | undefined => {
  const path = name.replaceAll("\\", "/")
  const parts = path.split("/")
  if (path.startsWith("/") || /^[a-z]:/i.test(path) || path.includes("\0") || parts.includes("..")) {
    throw notReadable("points to an archive with a file path outside of the archive")
  }
  if (path.length > maxPathLength) {
    throw notReadable(`points to an archive with a file path of more than ${maxPathLength} characters`)
  }
  return path.endsWith("/") || parts.includes("__MACOSX")
    ? undefined
    : parts.filter((part) => part !== "" && part !== ".").join("/")
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true })

/** Decodes a name: as UTF-8 if it is valid, which most programs write without declaring it, else as Latin-1. */
export const decodeName = (bytes: Uint8Array): string => {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return new TextDecoder("latin1").decode(bytes)
  }
}
