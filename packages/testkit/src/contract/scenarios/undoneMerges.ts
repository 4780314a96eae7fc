/** A merge is undone by the restoration of the revision before it, and its changes are proposed again. */
import type {
  ChangeRequest,
  ContentPage,
  EditedContent,
  MergeResult,
  Page,
  RevisionSummary,
  Space
} from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import type { Json } from "../Schemas.ts"
import { pagesOf } from "./helpers.ts"

export const undoneMerges: ContractScenario = {
  title: "An undone merge is reported, and its changes are proposed again",
  requires: ["history"],
  run: async ({ ada, bob, acme }) => {
    const space = await ada.call<Space>(
      "createSpace",
      { organizationId: acme.id },
      { body: { title: "Undone" } }
    )
    const at = { spaceId: space.id }
    const edit = (changes: ReadonlyArray<Json>) =>
      ada.call<EditedContent>("updateSpaceContent", at, { body: { changes } })
    const insert = (title: string) => ({ operation: "insert_page", title, document: { markdown: title } })
    const titles = async () =>
      (await ada.call<{ pages: ReadonlyArray<ContentPage> }>("listPages", at)).pages.map(({ title }) => title)
    const create = (subject: string) =>
      bob.call<ChangeRequest>("createChangeRequest", at, { body: { subject } })
    const merge = (changeRequestId: string) =>
      ada.call<MergeResult>("mergeChangeRequest", { ...at, changeRequestId })
    const read = (changeRequestId: string) =>
      ada.call<ChangeRequest>("getChangeRequestById", { ...at, changeRequestId })
    const restore = (revisionId: string) =>
      ada.call<{ revision: string }>("restoreRevision", { ...at, revisionId })

    const inserted = await edit([insert("One"), insert("Two")])
    const [one] = pagesOf(inserted)
    const request = await create("Add a page")
    await bob.call(
      "updateChangeRequestContent",
      { ...at, changeRequestId: request.id },
      {
        body: { changes: [insert("Three")] }
      }
    )
    await ada.expectError(409, "createChangeRequest", at, { body: { reapplies: request.id } })
    await ada.expectError(404, "createChangeRequest", at, { body: { reapplies: "77" } })
    const merged = await merge(request.id)
    expect((await read(request.id)).undoneBy).toBe(undefined)

    // An edit of another page is undone, too, because the revision before the merge is restored.
    const moved = await edit([{ operation: "update_page", page: one!, title: "First" }])
    const undo = await restore(inserted.revision!)
    expect(await titles()).toEqual(["One", "Two"])
    expect((await read(request.id)).undoneBy).toBe(undo.revision)

    const again = await bob.call<ChangeRequest>("createChangeRequest", at, {
      body: { reapplies: String(request.number) }
    })
    expect(again).toMatchObject({ subject: "Add a page", status: "draft", outdated: true })
    await edit([{ operation: "delete_page", page: one! }])
    expect((await merge(again.id)).result).toBe("merge")
    expect(await titles()).toEqual(["Two", "Three"])
    expect((await read(request.id)).undoneBy).toBe(undo.revision)
    expect((await read(again.id)).undoneBy).toBe(undefined)

    // The merged content is restored, so that its merge is not undone anymore.
    await restore(moved.revision!)
    expect((await read(request.id)).undoneBy).toBe(undefined)

    const { items } = await ada.call<Page<RevisionSummary>>("listRevisions", at)
    const changes = new Map(items.map((revision) => [revision.id as string, revision.changes]))
    expect(changes.get(inserted.revision!)).toMatchObject({ type: "page_created", count: 2 })
    expect(changes.get(moved.revision!)).toEqual({ type: "page_edited", title: "First", count: 1 })
    expect(changes.get(merged.revision)).toBe(undefined)
  }
}
