/**
 * The changes that imports apply. Clients cannot send them: ids are allocated beforehand, so that new pages can link to
 * each other, and Markdown and bytes are already stored.
 */

import { freeSlug, hasSlug, maximumEditDepth, positionAt, putPage, withFields } from "@lectern/content"
import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import {
  type FileRecord,
  type Imported,
  keys,
  type PageRecord,
  type ReusableContentRecord,
  type SourceRecord
} from "@lectern/kernel/tables"
import { slugOf } from "@lectern/markdown/text"
import type { FileId, GitBlob, PageId, ReusableContentId } from "@lectern/model/content"
import type { InvalidInput } from "@lectern/model/errors"
import { Effect } from "effect"
import { type EditContext, recordOutcome, type Step } from "./EditContext.ts"

/** Adds a page with a new id, or updates the content of an existing page, which stays at its place. */
export interface ImportPage {
  readonly operation: "import_page"
  readonly page: PageId
  readonly type: PageRecord["type"]
  readonly into: PageId | ""
  readonly title: string
  /** The slug of a new page. Derived from the title by default. */
  readonly slug: string | undefined
  /** Undefined leaves the description of an existing page unchanged. */
  readonly description: string | undefined
  readonly body: BlobHash | undefined
  readonly imported: Imported
  readonly git: GitBlob | undefined
  /** When the source was changed last, in ISO 8601; undefined if it is unknown. */
  readonly changedAt?: string | undefined
  /** All settings of a page of a repository, which replace the settings of an existing page. Undefined leaves them unchanged. */
  readonly settings?: PageSettings
}

/** The settings of a page in a repository. Absent settings are not set. */
export type PageSettings = Pick<
  PageRecord,
  | "emoji"
  | "icon"
  | "description"
  | "hidden"
  | "condition"
  | "noIndex"
  | "noRobotsIndex"
  | "layout"
  | "cover"
  | "target"
  | "computed"
  | "source"
>

/** Adds or replaces a reusable content. */
export interface ImportReusableContent {
  readonly operation: "import_reusable_content"
  readonly reusableContent: ReusableContentId
  readonly record: ReusableContentRecord
}

/** Adds, replaces or removes a file of a repository that is not content. */
export interface ImportSourceFile {
  readonly operation: "import_source"
  readonly path: string
  readonly record: SourceRecord | undefined
}

/** Adds a file with a new id, or replaces the bytes of an existing file. */
export interface ImportFile {
  readonly operation: "import_file"
  readonly file: FileId
  readonly record: FileRecord
}

/** A change that only imports apply. */
export type ImportChange = ImportPage | ImportFile | ImportReusableContent | ImportSourceFile

/** The settings that a page can have. */
const noSettings: { readonly [K in keyof Required<PageSettings>]: undefined } = {
  emoji: undefined,
  icon: undefined,
  description: undefined,
  hidden: undefined,
  condition: undefined,
  noIndex: undefined,
  noRobotsIndex: undefined,
  layout: undefined,
  cover: undefined,
  target: undefined,
  computed: undefined,
  source: undefined
}

/** Returns the dates of an imported page: that of its source, which is not after the import. */
export const datesOf = (
  { changedAt }: Pick<ImportPage, "changedAt">,
  time: string
): Pick<PageRecord, "createdAt" | "updatedAt"> => {
  const date = changedAt !== undefined && changedAt < time ? changedAt : time
  return { createdAt: date, updatedAt: date }
}

/** Returns an existing page with imported content. Its place and its slug stay. */
export const withImported = (page: PageRecord, change: ImportPage): PageRecord => {
  const { body: _, ...rest } = withFields(page, {
    title: change.title,
    ...(change.description === undefined ? {} : { description: change.description }),
    ...(change.git === undefined ? {} : { git: change.git })
  })
  const record = {
    ...rest,
    ...(change.settings === undefined ? {} : { ...noSettings, ...change.settings }),
    // A group that now has a body becomes a document.
    type: change.type,
    ...(change.body === undefined ? {} : { body: change.body }),
    imported: change.imported
  }
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined)
  ) as unknown as PageRecord
}

/** Returns the requested parent if it can have child pages, and the root otherwise. */
const parentFor = Effect.fnUntraced(function* (
  { draft }: EditContext,
  { into, type }: ImportPage
): Effect.fn.Return<PageId | "", StorageUnavailable> {
  const parent = into === "" || type === "group" ? undefined : yield* draft.page(into)
  if (into === "" || parent === undefined || !hasSlug(parent)) return ""
  return (yield* draft.above(parent)).length + 2 > maximumEditDepth ? "" : into
})

/** Adds or updates an imported page. */
export const importPage = Effect.fnUntraced(function* (
  context: EditContext,
  { change }: Step<ImportPage>
): Effect.fn.Return<void, InvalidInput | StorageUnavailable> {
  const { draft, time } = context
  const before = yield* draft.page(change.page)
  const parent = before === undefined ? yield* parentFor(context, change) : before.parent
  const current: PageRecord = before ?? {
    type: change.type,
    title: change.title,
    slug: hasSlug(change) ? yield* freeSlug(draft, parent, change.slug ?? slugOf(change.title, "page")) : "",
    parent,
    position: yield* positionAt(draft, parent, undefined),
    ...datesOf(change, time)
  }
  putPage(draft, change.page, before, {
    ...withImported(current, change),
    updatedAt: datesOf(change, time).updatedAt
  })
  recordOutcome(context, change.page, before === undefined ? "created" : "updated")
})

/** Adds or replaces an imported file. */
export const importFile = (context: EditContext, { change }: Step<ImportFile>): Effect.Effect<void> =>
  Effect.sync(() => {
    context.draft.set(keys.file(change.file), change.record)
    context.files.push(change.file)
  })

/** Adds or replaces an imported reusable content. */
export const importReusableContent = (
  { draft }: EditContext,
  { change }: Step<ImportReusableContent>
): Effect.Effect<void> =>
  Effect.sync(() => draft.set(keys.reusableContent(change.reusableContent), change.record))

/** Adds, replaces or removes a file of a repository that is not content. */
export const importSource = (
  { draft }: EditContext,
  { change }: Step<ImportSourceFile>
): Effect.Effect<void> => Effect.sync(() => draft.set(keys.source(change.path), change.record))
