/** What the changes of one batch share while they are applied, and what comes of them. */
import { Effect, Result } from "effect"
import { type InvalidField, InvalidInput } from "../../../kernel/errors.ts"
import type { BlobHash, StorageUnavailable } from "../../../kernel/storage/index.ts"
import type { PageRecord } from "../../../model/content/ContentRecord.ts"
import type { Body, ContentChange } from "../../../model/content/EditContent.ts"
import type { FileId } from "../../../model/content/File.ts"
import type { PageId } from "../../../model/content/Page.ts"
import type { RevisionId } from "../../../model/content/Revision.ts"
import type { ContentStore } from "../ContentStore.ts"
import { toMarkdown } from "../document/toMarkdown.ts"
import type { Draft, Tree } from "../Tree.ts"
import { type References, resolveReferences } from "./batchReferences.ts"
import { type Taken, takeFrontMatter } from "./frontMatter.ts"
import type { ImportChange } from "./imported.ts"

/** A change of content: one of a batch from outside, or one of an import. */
export type AnyChange = ContentChange | ImportChange

/** What became of a page: what happened to it first in the batch, and what is left of it at the end. */
export type Outcome = "created" | "updated" | "deleted"

/** A batch while it is applied. */
export interface Editing {
  readonly draft: Draft
  readonly content: ContentStore["Service"]
  /** The moment of the edit. */
  readonly time: string
  /** An id for what each change adds, by its place in the batch. */
  readonly added: ReadonlyArray<ReadonlyArray<string>>
  readonly references: References
  /** The content of a revision of the space, or of the one that reverting goes back to. */
  readonly revision: (
    id: RevisionId | undefined,
    path: string
  ) => Effect.Effect<Tree, InvalidInput | StorageUnavailable>
  /** The pages that were touched, in the order of it. */
  readonly touched: Map<PageId, { outcome: Outcome; readonly ref: string | undefined }>
  readonly files: Array<FileId>
}

/** A change with its place in the batch, as errors name it. */
export interface Step<C extends AnyChange = AnyChange> {
  readonly change: C
  readonly path: string
  /** The ids for what it adds. */
  readonly ids: ReadonlyArray<string>
}

/** Notes what became of a page. One that is added and deleted again was never there. */
export const touch = (editing: Editing, id: PageId, outcome: Outcome, ref?: string): void => {
  const known = editing.touched.get(id)
  if (known === undefined) editing.touched.set(id, { outcome, ref })
  else if (outcome === "deleted" && known.outcome === "created") editing.touched.delete(id)
  else if (outcome === "deleted") known.outcome = "deleted"
  else if (known.outcome === "deleted") known.outcome = "updated"
}

/** The page of an id, where there is one in the content. */
export const pageOf = (
  editing: Editing,
  id: PageId,
  path: string
): Effect.Effect<PageRecord, InvalidInput | StorageUnavailable> =>
  Effect.flatMap(editing.draft.page(id), (page) =>
    page === undefined
      ? Effect.fail(InvalidInput.at(path, "names no page of this content"))
      : Effect.succeed(page)
  )

/** A body as markdown, with the fields that its front matter sets. */
export const readBody = (body: Body, path: string): Effect.Effect<Taken, InvalidInput> => {
  if (body.document !== undefined) return Effect.succeed({ fields: {}, markdown: toMarkdown(body.document) })
  const taken = takeFrontMatter(body.markdown ?? "")
  if (Result.isSuccess(taken)) return Effect.succeed(taken.success)
  const below = ({ path: field, message }: InvalidField): InvalidField => ({
    path: [path, "markdown", ...(field === "" ? [] : [field])].join("."),
    message
  })
  return Effect.fail(InvalidInput.of(taken.failure.map(below)))
}

/** Stores a text, with its references to what the batch adds resolved. */
export const putBody = (
  editing: Editing,
  markdown: string
): Effect.Effect<BlobHash | undefined, StorageUnavailable> =>
  editing.content.putText(resolveReferences(markdown, editing.references))
