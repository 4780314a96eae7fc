/** The state that the changes of a batch share while they are applied, and the outcomes that they record. */

import {
  type Draft,
  type ParseAllowance,
  type References,
  resolveReferences,
  type Tree
} from "@lectern/content"
import { type ConvertMarkdown, catchUnreadable } from "@lectern/formats"
import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import type { PageRecord } from "@lectern/kernel/tables"
import { isCheapToParse, toMarkdown, updateMarkdown } from "@lectern/markdown/document"
import { type PageMarkdown, takeFrontMatter } from "@lectern/markdown/frontMatter"
import type { Body, ContentChange, FileId, PageId, RevisionId } from "@lectern/model/content"
import type { JsonDocument } from "@lectern/model/document"
import { type InvalidField, InvalidInput } from "@lectern/model/errors"
import { Effect, Result } from "effect"
import type { ContentStore } from "../ContentStore.ts"
import type { ImportChange } from "./importChanges.ts"

/** A change of content: one that clients can send, or one of an import. */
export type AnyChange = ContentChange | ImportChange

/** The net outcome of a batch for a page. */
export type Outcome = "created" | "updated" | "deleted"

/** The state of a batch that is being applied. */
export interface EditContext {
  /** The content with the changes so far. */
  readonly draft: Draft
  readonly content: ContentStore["Service"]
  /** Converts pages that are expensive to parse. */
  readonly convert: ConvertMarkdown
  /** The timestamp of the edit. */
  readonly time: string
  /** The ids of the items that each change adds, by the index of the change. */
  readonly preallocatedIds: ReadonlyArray<ReadonlyArray<string>>
  /** The targets of the refs of the batch. */
  readonly references: References
  /**
   * Returns the tree of a revision of the space; without an id, that of the revision that a revert restores by default.
   * Fails with `InvalidInput` at `path` if the space has no such revision.
   */
  readonly revision: (
    id: RevisionId | undefined,
    path: string
  ) => Effect.Effect<Tree, InvalidInput | StorageUnavailable>
  /** The outcomes of pages, in the order of their first change. */
  readonly outcomes: Map<PageId, { outcome: Outcome; readonly ref: string | undefined }>
  /** The files that the batch added or replaced. */
  readonly files: Array<FileId>
  readonly parsing: ParseAllowance
}

/** A change of a batch. */
export interface Step<C extends AnyChange = AnyChange> {
  readonly change: C
  /** The path of the change in the input, for errors: `changes.0`. */
  readonly path: string
  /** The ids of the items that the change adds. */
  readonly ids: ReadonlyArray<string>
}

/** Records the outcome of a change for a page. A page that the batch creates and deletes has no outcome. */
export const recordOutcome = (context: EditContext, id: PageId, outcome: Outcome, ref?: string): void => {
  const previous = context.outcomes.get(id)
  if (previous === undefined) context.outcomes.set(id, { outcome, ref })
  else if (outcome === "deleted" && previous.outcome === "created") context.outcomes.delete(id)
  else if (outcome === "deleted") previous.outcome = "deleted"
  else if (previous.outcome === "deleted") previous.outcome = "updated"
}

/** Returns a page of the draft. Fails with `InvalidInput` at `path` if it does not exist. */
export const requirePage = (
  context: EditContext,
  id: PageId,
  path: string
): Effect.Effect<PageRecord, InvalidInput | StorageUnavailable> =>
  Effect.flatMap(context.draft.page(id), (page) =>
    page === undefined
      ? Effect.fail(InvalidInput.at(path, "is not the id of a page of this content"))
      : Effect.succeed(page)
  )

/** Converts the body of a new item to Markdown, with the fields that its front matter sets. */
export const readBody = (body: Body, path: string): Effect.Effect<PageMarkdown, InvalidInput> => {
  if (body.document !== undefined) return Effect.succeed({ fields: {}, markdown: toMarkdown(body.document) })
  const parsed = takeFrontMatter(body.markdown ?? "")
  if (Result.isSuccess(parsed)) return Effect.succeed(parsed.success)
  const atBody = ({ path: field, message }: InvalidField): InvalidField => ({
    path: [path, "markdown", ...(field === "" ? [] : [field])].join("."),
    message
  })
  return Effect.fail(InvalidInput.of(parsed.failure.map(atBody)))
}

/** The length of a document as JSON that is written over Markdown on the event loop. The parser runs several times. */
const maximumSmallDocument = 200_000

/**
 * Writes a document over Markdown: by the engine of the host if that is expensive. It waits for a free thread. Fails
 * with `InvalidInput` at `path` if the conversion exceeds its limits, and never writes the whole page in another style.
 */
const writeOver = (
  convert: ConvertMarkdown,
  markdown: string,
  document: JsonDocument,
  path: string
): Effect.Effect<string, InvalidInput | StorageUnavailable> =>
  isCheapToParse(markdown) && JSON.stringify(document).length <= maximumSmallDocument
    ? Effect.sync(() => updateMarkdown(markdown, document))
    : catchUnreadable(convert("update", { bytes: new TextEncoder().encode(markdown), document }), () =>
        Effect.fail(
          InvalidInput.at(
            `${path}.document`,
            "is too expensive to write over the current text of this size; send `markdown` instead"
          )
        )
      )

/**
 * Converts the new body of an existing item to Markdown. The Markdown at `before` is preserved for the unchanged
 * nodes of a document. Fails with `InvalidInput` for a body with neither Markdown nor a document.
 */
export const readNewBody = Effect.fnUntraced(function* (
  context: EditContext,
  body: Body,
  before: BlobHash | undefined,
  path: string
): Effect.fn.Return<PageMarkdown, InvalidInput | StorageUnavailable> {
  if (body.markdown === undefined && body.document === undefined) {
    const message = "must have `markdown` or `document`; omit it to keep the body"
    return yield* new InvalidInput({
      reason: "DocumentBodyMissing",
      message: `${path} ${message}.`,
      details: [{ path, message }]
    })
  }
  if (body.document === undefined || before === undefined) return yield* readBody(body, path)
  const markdown = yield* context.content.texts.get(before)
  // Both the current Markdown and the Markdown with the changes are parsed.
  yield* context.parsing.spend(markdown, { times: 2 })
  return { fields: {}, markdown: yield* writeOver(context.convert, markdown, body.document, path) }
})

/**
 * Resolves the refs in Markdown and stores it; it replaces the Markdown at `before`. Returns its hash; undefined for an empty string. Fails with `InvalidInput` if
 * the Markdown of the batch is too expensive to parse.
 */
export const putBody = (
  context: EditContext,
  markdown: string,
  before?: BlobHash
): Effect.Effect<BlobHash | undefined, InvalidInput | StorageUnavailable> =>
  Effect.andThen(
    context.parsing.spend(markdown, { isSent: true }),
    context.content.putText(resolveReferences(markdown, context.references), before)
  )
