/**
 * What an import puts into content. Batches from outside have no such changes: the ids are made beforehand, so that
 * the texts can lead from one new page to another, and texts and bytes are stored already.
 */
import { Effect } from "effect"
import type { InvalidInput } from "../../../kernel/errors.ts"
import { slugOf } from "../../../kernel/schema/Slug.ts"
import type { BlobHash, StorageUnavailable } from "../../../kernel/storage/index.ts"
import {
  type FileRecord,
  type Imported,
  keys,
  type PageRecord
} from "../../../model/content/ContentRecord.ts"
import type { FileId } from "../../../model/content/File.ts"
import type { GitBlob, PageId } from "../../../model/content/Page.ts"
import { type Editing, type Step, touch } from "./Editing.ts"
import { withFields } from "./fields.ts"
import { freeSlug, hasSlug, maximumEditDepth, positionAt, putPage } from "./pagePlacement.ts"

/** Adds a page with an id that is new, or says anew what is on it; where one stands already, it stays. */
export interface ImportPage {
  readonly operation: "import_page"
  readonly page: PageId
  readonly type: "document" | "group"
  readonly into: PageId | ""
  readonly title: string
  /** The slug of a new page; one is made from the title by default. */
  readonly slug: string | undefined
  /** What is left out of one that is there stays. */
  readonly description: string | undefined
  readonly body: BlobHash | undefined
  readonly imported: Imported
  readonly git: GitBlob | undefined
}

/** Adds a file with an id that is new, or puts other bytes into one. */
export interface ImportFile {
  readonly operation: "import_file"
  readonly file: FileId
  readonly record: FileRecord
}

/** A change that only an import makes. */
export type ImportChange = ImportPage | ImportFile

/** The parent that is asked for, where there can be pages below it; the root else. */
const parentFor = Effect.fnUntraced(function* (
  { draft }: Editing,
  { into, type }: ImportPage
): Effect.fn.Return<PageId | "", StorageUnavailable> {
  const parent = into === "" || type === "group" ? undefined : yield* draft.page(into)
  if (into === "" || parent === undefined || !hasSlug(parent)) return ""
  return (yield* draft.above(parent)).length + 2 > maximumEditDepth ? "" : into
})

/** `import_page`. */
export const importPage = Effect.fnUntraced(function* (
  editing: Editing,
  { change }: Step<ImportPage>
): Effect.fn.Return<void, InvalidInput | StorageUnavailable> {
  const { draft, time } = editing
  const before = yield* draft.page(change.page)
  const parent = before === undefined ? yield* parentFor(editing, change) : before.parent
  const standing: PageRecord = before ?? {
    type: change.type,
    title: change.title,
    slug: yield* freeSlug(draft, parent, change.slug ?? slugOf(change.title, "page")),
    parent,
    position: yield* positionAt(draft, parent, undefined),
    createdAt: time,
    updatedAt: time
  }
  const { body: _, ...rest } = withFields(standing, {
    title: change.title,
    ...(change.description === undefined ? {} : { description: change.description }),
    ...(change.git === undefined ? {} : { git: change.git })
  })
  putPage(draft, change.page, before, {
    ...rest,
    // A group that has a text now is a document, in its place.
    type: change.type,
    ...(change.body === undefined ? {} : { body: change.body }),
    imported: change.imported,
    updatedAt: time
  })
  touch(editing, change.page, before === undefined ? "created" : "updated")
})

/** `import_file`. */
export const importFile = (editing: Editing, { change }: Step<ImportFile>): Effect.Effect<void> =>
  Effect.sync(() => {
    editing.draft.set(keys.file(change.file), change.record as never)
    editing.files.push(change.file)
  })
