/** Walks the files of a commit of a Git repository. */
import { importBounds } from "@lectern/formats/threads"
import { normalizeArchivePath, notReadable } from "./archivePaths.ts"
import { type GitObjects, malformed, modes, readTree } from "./gitObjects.ts"

/** The maximum number of entries of all folders. A folder can contain the same folder many times. */
const maximumEntries = 2 * importBounds.archiveFiles

/** The maximum number of folders that contain each other. */
export const maximumDepth = 200

/** A file of a commit. */
export interface GitFile {
  readonly path: string
  readonly mode: string
  readonly oid: string
}

/** Returns the hash of a folder of a tree; undefined if it does not exist. */
export const findFolder = (objects: GitObjects, tree: string, folder: string): string | undefined => {
  let oid = tree
  for (const name of folder.split("/").filter((part) => part !== "")) {
    const entry = readTree(objects, oid).find((one) => one.name === name)
    if (entry === undefined || entry.mode !== modes.folder) return undefined
    oid = entry.oid
  }
  return oid
}

/** Returns the files below a folder of a tree. Throws `NotReadable`. */
export const listGitFiles = (objects: GitObjects, tree: string, folder: string): ReadonlyArray<GitFile> => {
  const root = findFolder(objects, tree, folder)
  if (root === undefined) throw notReadable(`points to a Git repository without the folder ${folder}`)
  const files: Array<GitFile> = []
  let entries = 0
  const visit = (treeOid: string, above: string, depth: number): void => {
    if (depth > maximumDepth) throw malformed()
    for (const { mode, name, oid } of readTree(objects, treeOid)) {
      if (++entries > maximumEntries) {
        throw notReadable(`points to a Git repository of more than ${maximumEntries} files and folders`)
      }
      if (mode === modes.folder) {
        visit(oid, `${above}${name}/`, depth + 1)
        continue
      }
      const path = normalizeArchivePath(above + name)
      if (path === undefined) continue
      if (files.length >= importBounds.archiveFiles) {
        throw notReadable(`points to a Git repository of more than ${importBounds.archiveFiles} files`)
      }
      files.push({ path, mode, oid })
    }
  }
  visit(root, "", 0)
  return files
}
