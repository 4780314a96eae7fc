/** Applies the changes of a batch to a draft in order. The first change that cannot be applied fails the batch. */

import type { References, Tree } from "@lectern/content"
import type { Ids, StorageUnavailable } from "@lectern/kernel"
import { InvalidInput } from "@lectern/model/errors"
import { Effect } from "effect"
import type { AnyChange, EditContext, Step } from "./EditContext.ts"
import * as Files from "./fileChanges.ts"
import * as Imported from "./importChanges.ts"
import * as Pages from "./pageChanges.ts"
import { revertPage } from "./revert.ts"

/** The number of changes that are applied between two yields to the event loop. */
const changesPerTurn = 50

/** The items that a change adds: their kind as in the URLs of links, and the ref by which the batch refers to them. */
const additionsOf = (change: AnyChange): ReadonlyArray<readonly [kind: string, ref: string | undefined]> => {
  switch (change.operation) {
    case "insert_page":
      return [["pages", change.ref]]
    case "insert_files":
      return change.files.map((file) => ["files", file.ref] as const)
    case "insert_reusable_content":
      return [["reusable-contents", change.ref]]
    default:
      return []
  }
}

/**
 * Allocates the ids of all items that a batch adds, and resolves its refs, before any change is applied. Fails with
 * `InvalidInput` if a ref is not unique in the batch, or is the slug of a page at the root.
 */
export const prepare = Effect.fnUntraced(function* (
  changes: ReadonlyArray<AnyChange>,
  tree: Tree,
  ids: Ids["Service"]
): Effect.fn.Return<Pick<EditContext, "preallocatedIds" | "references">, InvalidInput | StorageUnavailable> {
  const preallocatedIds: Array<ReadonlyArray<string>> = []
  const references = new Map<string, string>()
  for (const [index, change] of changes.entries()) {
    const changeIds: Array<string> = []
    for (const [kind, ref] of additionsOf(change)) {
      const id = yield* ids.next
      changeIds.push(id)
      if (ref === undefined) continue
      const path = `changes.${index}.${kind === "files" ? `files.${changeIds.length - 1}.ref` : "ref"}`
      if (references.has(ref))
        return yield* InvalidInput.at(path, "is used more than once; refs must be unique in a batch")
      if ((yield* tree.bySlug("", ref)) !== undefined) {
        return yield* InvalidInput.at(path, "is the path of a page; use another ref")
      }
      references.set(ref, `/${kind}/${id}`)
    }
    preallocatedIds.push(changeIds)
  }
  return { preallocatedIds, references: references as References }
})

/** Applies changes in order. Fails with `InvalidInput` at the first change that cannot be applied. */
export const apply = Effect.fnUntraced(function* (
  context: EditContext,
  changes: ReadonlyArray<AnyChange>
): Effect.fn.Return<void, InvalidInput | StorageUnavailable> {
  for (const [index, change] of changes.entries()) {
    // An import has thousands of changes. Other requests run between them.
    if (index % changesPerTurn === changesPerTurn - 1) yield* Effect.yieldNow
    yield* applyOne(context, { change, path: `changes.${index}`, ids: context.preallocatedIds[index]! })
  }
})

const applyOne = (
  context: EditContext,
  step: Step
): Effect.Effect<void, InvalidInput | StorageUnavailable> => {
  const { change } = step
  switch (change.operation) {
    case "insert_page":
      return Pages.insertPage(context, { ...step, change })
    case "update_page":
      return Pages.updatePage(context, { ...step, change })
    case "delete_page":
      return Pages.deletePage(context, { ...step, change })
    case "revert_page":
      return revertPage(context, { ...step, change })
    case "insert_files":
      return Files.insertFiles(context, { ...step, change })
    case "update_file":
      return Files.updateFile(context, { ...step, change })
    case "delete_files":
      return Files.deleteFiles(context, { ...step, change })
    case "revert_file":
      return Files.revertFile(context, { ...step, change })
    case "insert_reusable_content":
      return Files.insertReusableContent(context, { ...step, change })
    case "update_reusable_content":
      return Files.updateReusableContent(context, { ...step, change })
    case "delete_reusable_content":
      return Files.deleteReusableContent(context, { ...step, change })
    case "revert_reusable_content":
      return Files.revertReusableContent(context, { ...step, change })
    case "import_page":
      return Imported.importPage(context, { ...step, change })
    case "import_file":
      return Imported.importFile(context, { ...step, change })
    case "import_reusable_content":
      return Imported.importReusableContent(context, { ...step, change })
    case "import_source":
      return Imported.importSource(context, { ...step, change })
  }
}
