/** The revisions of a space are listed and restored, and a deleted page is restored. */
import type {
  ArchivedPage,
  ChangeRequest,
  ContentPage,
  EditedContent,
  Page,
  RevisionId,
  RevisionSummary,
  Space
} from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import type { Json } from "../Schemas.ts"
import { idsOf, pagesOf, titlesOf } from "./helpers.ts"

export const history: ContractScenario = {
  title: "revisions and deleted pages are listed and restored",
  requires: ["history"],
  run: async ({ ada, acme }) => {
    const space = await ada.call<Space>(
      "createSpace",
      { organizationId: acme.id },
      { body: { title: "History" } }
    )
    const at = { spaceId: space.id }
    const edit = (changes: ReadonlyArray<Json>, message?: string) =>
      ada.call<EditedContent>("updateSpaceContent", at, {
        body: { changes, ...(message === undefined ? {} : { message }) }
      })
    const insert = (title: string) => ({ operation: "insert_page", title, document: { markdown: title } })
    const titles = async () =>
      (await ada.call<{ pages: ReadonlyArray<ContentPage> }>("listPages", at)).pages.map(({ title }) => title)
    const inserted = await edit([insert("One"), insert("Two"), insert("Three")], "Add pages")
    const [one, two] = pagesOf(inserted) as [string, string]
    const deleted = await edit([
      { operation: "delete_page", page: one },
      { operation: "delete_page", page: two }
    ])

    const listed = await ada.call<Page<RevisionSummary>>("listRevisions", at)
    expect(idsOf(listed)).toEqual([deleted.revision, inserted.revision, space.revision])
    expect(listed.items[1]).toMatchObject({
      type: "edits",
      parents: [space.revision],
      message: "Add pages",
      author: { id: ada.id }
    })

    const proposed = await ada.call<ChangeRequest>("createChangeRequest", at)
    const inProposed = { ...at, changeRequestId: proposed.id }
    for (const title of ["Four", "Five"]) {
      await ada.call("updateChangeRequestContent", inProposed, {
        body: { automatic: true, changes: [insert(title)] }
      })
    }
    const saves = await ada.call<Page<RevisionSummary>>("listRevisionsOfChangeRequest", inProposed)
    expect(saves.items).toMatchObject([
      {
        type: "edits",
        parents: [deleted.revision],
        author: { id: ada.id },
        automaticSince: expect.any(String)
      }
    ])

    await ada.call("updateChangeRequestContent", inProposed, { body: { changes: [insert("Six")] } })
    const further = await ada.call<Page<RevisionSummary>>("listRevisionsOfChangeRequest", inProposed)
    expect(idsOf(further).slice(1)).toEqual(idsOf(saves))

    const archived = await ada.call<Page<ArchivedPage>>("listArchivedPages", at)
    expect(titlesOf(archived).toSorted()).toEqual(["One", "Two"])
    expect(archived.items.map(({ revision }) => revision)).toEqual([inserted.revision, inserted.revision])
    await ada.call<EditedContent>("restoreArchivedPage", { ...at, pageId: one })
    expect((await titles()).toSorted()).toEqual(["One", "Three"])
    await ada.expectError(404, "restoreArchivedPage", { ...at, pageId: one })

    const source = { ...at, revisionId: inserted.revision }
    const restored = await ada.call<{ revision: RevisionId }>("restoreRevision", source)
    expect(await titles()).toEqual(["One", "Two", "Three"])
    expect((await ada.call<Page<ArchivedPage>>("listArchivedPages", at)).count).toBe(0)
    expect(await ada.call<{ revision: RevisionId }>("restoreRevision", source)).toEqual(restored)
    const latest = (await ada.call<Page<RevisionSummary>>("listRevisions", at)).items[0]
    expect(latest).toMatchObject({ id: restored.revision, type: "rollback", parents: [expect.any(String)] })
  }
}
