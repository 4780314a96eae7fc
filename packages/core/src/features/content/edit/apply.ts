/** Applies a batch of changes to a draft, one by one in their order: the first that cannot be made ends it. */
import { Effect } from "effect"
import { InvalidInput } from "../../../kernel/errors.ts"
import type { Ids } from "../../../kernel/ids/Ids.ts"
import type { StorageUnavailable } from "../../../kernel/storage/index.ts"
import type { Tree } from "../Tree.ts"
import type { References } from "./batchReferences.ts"
import type { AnyChange, Editing, Step } from "./Editing.ts"
import * as Files from "./fileChanges.ts"
import * as Imported from "./imported.ts"
import * as Pages from "./pageChanges.ts"
import { revertPage } from "./revert.ts"

/** What a change adds: a kind as links name it, with the batch's own name for each. */
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

/** The ids of all that a batch adds, and where its own names for them lead: known before anything is applied. */
export const prepare = Effect.fnUntraced(function* (
  changes: ReadonlyArray<AnyChange>,
  tree: Tree,
  ids: Ids["Service"]
): Effect.fn.Return<Pick<Editing, "added" | "references">, InvalidInput | StorageUnavailable> {
  const added: Array<ReadonlyArray<string>> = []
  const references = new Map<string, string>()
  for (const [index, change] of changes.entries()) {
    const mine: Array<string> = []
    for (const [kind, ref] of additionsOf(change)) {
      const id = yield* ids.next
      mine.push(id)
      if (ref === undefined) continue
      const path = `changes.${index}.${kind === "files" ? `files.${mine.length - 1}.ref` : "ref"}`
      if (references.has(ref)) return yield* InvalidInput.at(path, "is the ref of another addition too")
      if ((yield* tree.bySlug("", ref)) !== undefined) {
        return yield* InvalidInput.at(path, "is the path of a page; choose another")
      }
      references.set(ref, `/${kind}/${id}`)
    }
    added.push(mine)
  }
  return { added, references: references as References }
})

/** Applies the changes. */
export const apply = Effect.fnUntraced(function* (
  editing: Editing,
  changes: ReadonlyArray<AnyChange>
): Effect.fn.Return<void, InvalidInput | StorageUnavailable> {
  for (const [index, change] of changes.entries()) {
    yield* applyOne(editing, { change, path: `changes.${index}`, ids: editing.added[index]! })
  }
})

const applyOne = (editing: Editing, step: Step): Effect.Effect<void, InvalidInput | StorageUnavailable> => {
  const { change } = step
  switch (change.operation) {
    case "insert_page":
      return Pages.insertPage(editing, { ...step, change })
    case "update_page":
      return Pages.updatePage(editing, { ...step, change })
    case "delete_page":
      return Pages.deletePage(editing, { ...step, change })
    case "revert_page":
      return revertPage(editing, { ...step, change })
    case "insert_files":
      return Files.insertFiles(editing, { ...step, change })
    case "delete_files":
      return Files.deleteFiles(editing, { ...step, change })
    case "insert_reusable_content":
      return Files.insertReusableContent(editing, { ...step, change })
    case "update_reusable_content":
      return Files.updateReusableContent(editing, { ...step, change })
    case "delete_reusable_content":
      return Files.deleteReusableContent(editing, { ...step, change })
    case "import_page":
      return Imported.importPage(editing, { ...step, change })
    case "import_file":
      return Imported.importFile(editing, { ...step, change })
  }
}
