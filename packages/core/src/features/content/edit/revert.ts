/** Brings a page back to what it was in a revision. */
import { Effect } from "effect"
import { InvalidInput } from "../../../kernel/errors.ts"
import type { StorageUnavailable } from "../../../kernel/storage/index.ts"
import type { PageRecord } from "../../../model/content/ContentRecord.ts"
import type { RevertPage } from "../../../model/content/EditContent.ts"
import type { PageId } from "../../../model/content/Page.ts"
import { type Editing, type Step, touch } from "./Editing.ts"
import { isWithin, removePage } from "./pageChanges.ts"
import { freeSlug, hasSlug, positionAt, putPage, subtree } from "./pagePlacement.ts"

type Failure = InvalidInput | StorageUnavailable

/**
 * `revert_page`: the page as it was in the revision. One that was there comes back with all of its fields and the
 * pages that were below it; one that was not goes. Where its place is taken or gone, it stands as near as can be.
 */
export const revertPage = Effect.fnUntraced(function* (
  editing: Editing,
  { change, path }: Step<RevertPage>
): Effect.fn.Return<void, Failure> {
  const { draft } = editing
  if (change.block !== undefined) {
    return yield* InvalidInput.at(
      `${path}.block`,
      "cannot be given: pages are reverted as a whole; leave it out"
    )
  }
  const tree = yield* editing.revision(change.revision, `${path}.revision`)
  const target = yield* tree.page(change.page)
  const before = yield* draft.page(change.page)
  if (target === undefined) {
    if (before === undefined) {
      return yield* InvalidInput.at(`${path}.page`, "names no page of this content, nor of the revision")
    }
    return yield* removePage(editing, change.page, before)
  }
  const wanted =
    before === undefined
      ? yield* subtree(tree, { id: change.page, page: target })
      : [{ id: change.page, page: target }]
  for (const { id, page } of wanted) {
    // Below a page that was deleted, others may have been moved away before: those stay where they are.
    if (id !== change.page && (yield* draft.page(id)) !== undefined) continue
    yield* restore(editing, id, before, page)
  }
})

/** Puts a page back to where it was, as far as that is still there. */
const restore = Effect.fnUntraced(function* (
  editing: Editing,
  id: PageId,
  before: PageRecord | undefined,
  target: PageRecord
): Effect.fn.Return<void, Failure> {
  const { draft } = editing
  const parentIsThere =
    target.parent === "" ||
    ((yield* draft.page(target.parent)) !== undefined && !(yield* isWithin(editing, target.parent, id)))
  const parent = parentIsThere ? target.parent : (before?.parent ?? "")
  const siblings = yield* draft.children(parent)
  const holder = siblings.find(({ position }) => position === target.position)
  const isFree = holder === undefined || holder.id === id
  putPage(draft, id, before, {
    ...target,
    parent,
    position: isFree ? target.position : yield* positionAt(draft, parent, siblings.indexOf(holder) + 1, id),
    slug: hasSlug(target) ? yield* freeSlug(draft, parent, target.slug, id) : "",
    updatedAt: editing.time
  })
  touch(editing, id, before === undefined ? "created" : "updated")
})
