/** The structure of archives: their common folder, and the end of a ZIP archive. */

/** Returns the folder at the top of all paths with a final slash; empty if there are several, or files next to it. */
export const commonFolderOf = (paths: ReadonlyArray<string>): string => {
  const folders = new Set(paths.map((path) => (path.includes("/") ? `${path.split("/")[0]}/` : "")))
  return folders.size === 1 ? ([...folders][0] ?? "") : ""
}

/** The length of the record at the end of a ZIP archive, without its comment. */
export const endLength = 22

/** Finds the record at the end of a ZIP archive. Returns -1 if the archive is truncated. */
export const findEnd = (bytes: Uint8Array): number => {
  for (let at = bytes.length - endLength; at >= Math.max(0, bytes.length - endLength - 65_535); at--) {
    if (bytes[at] === 0x50 && bytes[at + 1] === 0x4b && bytes[at + 2] === 0x05 && bytes[at + 3] === 0x06)
      return at
  }
  return -1
}
