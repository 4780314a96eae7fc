/** Files and reusable contents as callers see them. */

import type { FileRecord, ReusableContentRecord } from "../../model/content/ContentRecord.ts"
import type { File, FileId } from "../../model/content/File.ts"
import type { ReusableContent, ReusableContentId } from "../../model/content/ReusableContent.ts"
import { documentIdOf } from "./PageView.ts"

/** Whether to say where things are in a git repository; by default it is said. */
export interface GitOption {
  readonly metadata?: boolean
}

const gitOf = ({ git }: Pick<FileRecord, "git">, { metadata }: GitOption) =>
  git === undefined || metadata === false ? {} : { git }

/** A file, with the address of its bytes. */
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

/** A reusable content. */
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
