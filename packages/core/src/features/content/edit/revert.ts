/** Reverts a page to its state in a revision. */

import { freeSlug, hasSlug, positionAt, putPage, subtree } from "@lectern/content"
import { type ConvertMarkdown, catchUnreadable } from "@lectern/formats"
import type { StorageUnavailable } from "@lectern/kernel"
import type { PageRecord } from "@lectern/kernel/tables"
import { isCheapToParse, type RevertedMarkdown, revertMarkdown } from "@lectern/markdown/document"
import type { PageId, RevertPage } from "@lectern/model/content"
import { InvalidInput } from "@lectern/model/errors"
import { Effect } from "effect"
import { type EditContext, recordOutcome, type Step } from "./EditContext.ts"
import { isWithin, removePage } from "./pageChanges.ts"

type Failure = InvalidInput | StorageUnavailable

/**
 * Reverts a page to its state in a revision. A page that was deleted since is restored with its descendants; a page
 * that did not exist in the revision is deleted. If its former place is occupied or no longer exists, the nearest free
 * place is used. Fails with `InvalidInput` if neither the content nor the revision has the page.
 */
export const revertPage = Effect.fnUntraced(function* (
  context: EditContext,
  { change, path }: Step<RevertPage>
): Effect.fn.Return<void, Failure> {
  const { draft } = context
  const tree = yield* context.revision(change.revision, `${path}.revision`)
  const target = yield* tree.page(change.page)
  const before = yield* draft.page(change.page)
  if (change.block !== undefined) {
    return yield* revertBlocksOf(context, change.page, before, target, change.block, path)
  }
  if (target === undefined) {
    if (before === undefined) {
      return yield* InvalidInput.at(
        `${path}.page`,
        "is not the id of a page of this content or of the revision"
      )
    }
    return yield* removePage(context, change.page, before)
  }
  const restored =
    before === undefined
      ? yield* subtree(tree, { id: change.page, page: target })
      : [{ id: change.page, page: target }]
  for (const { id, page } of restored) {
    // A former descendant that still exists was moved elsewhere before the deletion. It is not moved back.
    if (id !== change.page && (yield* draft.page(id)) !== undefined) continue
    yield* restore(context, id, before, page)
  }
})

const encoder = new TextEncoder()

/** How often the current Markdown is parsed: itself, and with the reverted blocks, in up to five ways to write them. */
const currentParses = 6

/**
 * Reverts blocks of Markdown: by the engine of the host if that is expensive. Fails with `InvalidInput` at
 * `path` if the conversion exceeds its limits.
 */
const revertIn = (
  convert: ConvertMarkdown,
  current: string,
  base: string,
  keys: ReadonlyArray<string>,
  path: string
): Effect.Effect<RevertedMarkdown, InvalidInput | StorageUnavailable> =>
  isCheapToParse(`${current}\n${base}`)
    ? Effect.sync(() => revertMarkdown(current, base, keys))
    : catchUnreadable(
        convert("revert", { bytes: encoder.encode(current), base: encoder.encode(base), keys }),
        () =>
          Effect.fail(
            InvalidInput.at(path, "cannot be reverted in a page of this size; revert the whole page")
          )
      )

/**
 * Reverts single blocks of the body of a page. Its other blocks and its fields do not change. Fails with `InvalidInput` if
 * the page is not a document of this content, if a key is not that of a block, or if the versions are too expensive to parse.
 */
const revertBlocksOf = Effect.fnUntraced(function* (
  context: EditContext,
  id: PageId,
  before: PageRecord | undefined,
  target: PageRecord | undefined,
  keys: ReadonlyArray<string>,
  path: string
): Effect.fn.Return<void, Failure> {
  const { content, draft, time } = context
  if (before?.type !== "document") {
    return yield* InvalidInput.at(`${path}.page`, "is not the id of a document of this content")
  }
  const readMarkdown = (body: PageRecord["body"]) =>
    body === undefined ? Effect.succeed("") : content.texts.get(body)
  const markdown = yield* readMarkdown(before.body)
  const base = yield* readMarkdown(target?.body)
  yield* context.parsing.spend(markdown, { times: currentParses })
  yield* context.parsing.spend(base)
  const reverted = yield* revertIn(context.convert, markdown, base, keys, `${path}.block`)
  const { unknownKeys } = reverted
  if (unknownKeys.length > 0) {
    return yield* InvalidInput.of(
      unknownKeys.map((key) => ({
        path: `${path}.block.${keys.indexOf(key)}`,
        message: "is not the key of a block of the page, now or in the revision"
      }))
    )
  }
  if (reverted.markdown === markdown) return
  const hash = yield* content.putText(reverted.markdown, before.body)
  const { body: _, ...rest } = before
  putPage(draft, id, before, { ...rest, ...(hash === undefined ? {} : { body: hash }), updatedAt: time })
  recordOutcome(context, id, "updated")
})

/** Restores the fields of a page, and its place if that is still available. */
const restore = Effect.fnUntraced(function* (
  context: EditContext,
  id: PageId,
  before: PageRecord | undefined,
  target: PageRecord
): Effect.fn.Return<void, Failure> {
  const { draft } = context
  const parentExists =
    target.parent === "" ||
    ((yield* draft.page(target.parent)) !== undefined && !(yield* isWithin(context, target.parent, id)))
  const parent = parentExists ? target.parent : (before?.parent ?? "")
  const siblings = yield* draft.children(parent)
  const holder = siblings.find(({ position }) => position === target.position)
  const isFree = holder === undefined || holder.id === id
  putPage(draft, id, before, {
    ...target,
    parent,
    position: isFree ? target.position : yield* positionAt(draft, parent, siblings.indexOf(holder) + 1, id),
    slug: hasSlug(target) ? yield* freeSlug(draft, parent, target.slug, id) : "",
    updatedAt: context.time
  })
  recordOutcome(context, id, before === undefined ? "created" : "updated")
})
