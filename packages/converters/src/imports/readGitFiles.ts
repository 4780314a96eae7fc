/** Reads the files of a commit of a Git repository. */
import { type GitPackTasks, importBounds, type Unpacked } from "@lectern/formats/threads"
import { normalizeArchivePath, notReadable } from "./archivePaths.ts"
import { type GitObjects, malformed, modes, readCommit, readTree } from "./gitObjects.ts"
import { readPack } from "./readGitPack.ts"

/** The maximum number of entries of all folders. A folder can contain the same folder many times. */
const maximumEntries = 2 * importBounds.archiveFiles

/** The maximum number of folders that contain each other. */
const maximumDepth = 200

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

/** Returns the files of a commit below a folder. Throws `NotReadable`. */
export const readGitFiles = ({
  bytes,
  commit,
  folder
}: GitPackTasks["gitFiles"]["in"]): GitPackTasks["gitFiles"]["out"] => {
  const objects = readPack(bytes)
  const { tree, message, oid } = readCommit(objects, commit)
  const root = findFolder(objects, tree, folder)
  if (root === undefined) throw notReadable(`points to a Git repository without the folder ${folder}`)
  const files: Array<Unpacked> = []
  const skipped: Array<{ readonly path: string; readonly reason: string }> = []

  let entries = 0
  const visit = (treeOid: string, above: string, depth: number): void => {
    if (depth > maximumDepth) throw malformed()
    for (const entry of readTree(objects, treeOid)) {
      if (++entries > maximumEntries) {
        throw notReadable(`points to a Git repository of more than ${maximumEntries} files and folders`)
      }
      if (entry.mode === modes.folder) {
        visit(entry.oid, `${above}${entry.name}/`, depth + 1)
        continue
      }
      const path = normalizeArchivePath(above + entry.name)
      if (path === undefined) continue
      if (files.length + skipped.length >= importBounds.archiveFiles) {
        throw notReadable(`points to a Git repository of more than ${importBounds.archiveFiles} files`)
      }
      if (entry.mode === modes.link || entry.mode === modes.submodule) {
        const kind = entry.mode === modes.link ? "symbolic link" : "submodule"
        skipped.push({ path, reason: `The file is a ${kind}.` })
        continue
      }
      const blob = objects.get(entry.oid)
      if (blob?.type !== "blob") throw malformed()
      files.push({ path, bytes: blob.bytes.slice() })
    }
  }
  visit(root, "", 0)
  return { files, skipped, commit: oid, message }
}
