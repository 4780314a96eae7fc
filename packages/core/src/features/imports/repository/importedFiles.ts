/** The files of a repository that are not pages: their ids, and which of them are imported. */

import type { FileId } from "@lectern/model/content"
import { bounds } from "@lectern/model/imports"
import type { RepositoryFile } from "./RepositoryContent.ts"

/** The files of a repository by their paths. */
export interface ImportedFiles {
  /** Imports a file, and returns its id; undefined for a path without a file, and for a file that exceeds a limit. */
  readonly add: (path: string) => FileId | undefined
  /** The paths of the imported files. */
  readonly paths: ReadonlySet<string>
}

/** Returns why a file is not imported; undefined for a file that can be. */
const rejectionOf = ({ size }: RepositoryFile, count: number): string | undefined =>
  size === 0
    ? "The file is empty."
    : size > bounds.fileBytes
      ? `The file is larger than ${bounds.fileBytes >> 20} MiB.`
      : count >= bounds.files
        ? `The repository has more than ${bounds.files} files.`
        : undefined

/** Creates the list of imported files. `reject` is called once for each file that exceeds a limit. */
export const makeImportedFiles = (
  files: ReadonlyMap<string, RepositoryFile>,
  ids: ReadonlyMap<string, FileId>,
  reject: (path: string, reason: string) => void
): ImportedFiles => {
  const paths = new Set<string>()
  const rejected = new Set<string>()
  return {
    paths,
    add: (path) => {
      const [id, file] = [ids.get(path), files.get(path)]
      if (id === undefined || file === undefined || rejected.has(path)) return undefined
      if (paths.has(path)) return id
      const reason = rejectionOf(file, paths.size)
      if (reason === undefined) {
        paths.add(path)
        return id
      }
      rejected.add(path)
      reject(path, reason)
      return undefined
    }
  }
}
