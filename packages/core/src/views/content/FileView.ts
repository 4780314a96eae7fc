/** Converts stored files and reusable contents to resources. */

import type { FileRecord, ReusableContentRecord } from "@lectern/kernel/tables"
import type { File, FileId, ReusableContent, ReusableContentId } from "@lectern/model/content"
import { documentIdOf } from "./PageView.ts"

/** Whether resources include their location in a git repository, which they do by default. */
export interface GitOption {
  readonly metadata?: boolean
}

const gitOf = ({ git }: Pick<FileRecord, "git">, { metadata }: GitOption) =>
  git === undefined || metadata === false ? {} : { git }

/** Converts a file to a resource. `urlOf` returns the URL of its bytes. */
export const presentFile = (
  urlOf: (file: FileRecord) => string,
  id: FileId,
  file: FileRecord,
  options: GitOption
): File => ({
  id,
  name: file.name,
  contentType: file.contentType,
  downloadURL: urlOf(file),
  size: file.size,
  ...(file.dimensions === undefined ? {} : { dimensions: file.dimensions }),
  ...gitOf(file, options)
})

/** Converts a reusable content to a resource. */
export const presentReusableContent = (
  id: ReusableContentId,
  record: ReusableContentRecord,
  options: GitOption
): ReusableContent => {
  const document = documentIdOf(record)
  return {
    id,
    title: record.title,
    ...(document === undefined ? {} : { document }),
    ...gitOf(record, options)
  }
}
