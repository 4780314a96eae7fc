/** Change requests are created, listed, updated from their space, merged and archived. */
import type {
  ChangeRequest,
  ContentPage,
  EditedContent,
  MergeResult,
  Page,
  Space,
  UpdateResult
} from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf, pagesOf } from "./helpers.ts"

export const changeRequests: ContractScenario = {
  title: "A change request is created, updated from its space, and merged",
  run: async ({ ada, bob, acme }) => {
    const space = await ada.call<Space>(
      "createSpace",
      { organizationId: acme.id },
      { body: { title: "Guide" } }
    )
    const at = { spaceId: space.id }
    const first = await ada.call<EditedContent>("updateSpaceContent", at, {
      body: {
        changes: [{ operation: "insert_page", title: "Start", document: { markdown: "One.\n\nTwo." } }]
      }
    })
    const page = pagesOf(first)[0]!

    // Bob creates a change request for a task.
    const proposed = await bob.call<ChangeRequest>("createChangeRequest", at, {
      body: { subject: "Explain the options", agentTaskId: "task-1" }
    })
    expect(proposed).toMatchObject({
      status: "draft",
      subject: "Explain the options",
      outdated: false,
      comments: 0,
      createdBy: { id: bob.id },
      revisionInitial: first.revision ?? proposed.revisionInitial
    })
    const inProposed = { ...at, changeRequestId: proposed.id }
    const insertPage = (changeRequestId: string, title: string) =>
      bob.call(
        "updateChangeRequestContent",
        { ...at, changeRequestId },
        {
          body: { changes: [{ operation: "insert_page", title, document: { markdown: title } }] }
        }
      )
    await insertPage(proposed.id, "Proposed")
    const opened = await bob.call<ChangeRequest>("updateChangeRequestById", inProposed, {
      body: { subject: "Explain all options", status: "open" }
    })
    expect(opened).toMatchObject({ status: "open", subject: "Explain all options" })
    expect(
      await bob.call<ChangeRequest>("getChangeRequestById", {
        ...at,
        changeRequestId: String(proposed.number)
      })
    ).toEqual(opened)
    const second = await ada.call<ChangeRequest>("createChangeRequest", at)
    await ada.call(
      "updateChangeRequestById",
      { ...at, changeRequestId: second.id },
      { body: { status: "open" } }
    )
    const list = async (query: { readonly [name: string]: string } = {}) =>
      idsOf(await ada.call<Page<ChangeRequest>>("listChangeRequestsForSpace", at, { query }))
    expect(await list()).toEqual([second.id, proposed.id])
    expect(await list({ status: "open", contributor: bob.id })).toEqual([proposed.id])
    expect(await list({ creator: ada.id })).toEqual([second.id])
    const counts = await ada.call<Space>("getSpaceById", at)
    expect([counts.changeRequests, counts.changeRequestsOpen, counts.changeRequestsDraft]).toEqual([2, 2, 0])

    // The page is exported as PDF, without the pages below it.
    for (const query of [{ page, only: true }, {}]) {
      const { url } = await ada.call<{ url: string }>("getChangeRequestPDF", inProposed, { query })
      expect(URL.canParse(url)).toBe(true)
    }

    // The space changes; Bob updates his change request, and Ada merges it.
    await ada.call("updateSpaceContent", at, {
      body: { changes: [{ operation: "update_page", page, document: { markdown: "One.\n\nTwo!" } }] }
    })
    expect((await bob.call<ChangeRequest>("getChangeRequestById", inProposed)).outdated).toBe(true)
    const updated = await bob.call<UpdateResult>("updateChangeRequest", inProposed)
    expect(updated.result).toBe("update")
    const afterUpdate = await bob.call<ChangeRequest>("getChangeRequestById", inProposed)
    expect([afterUpdate.outdated, afterUpdate.revision]).toEqual([false, updated.revision])
    await bob.expectError(403, "mergeChangeRequest", inProposed)
    const merged = await ada.call<MergeResult>("mergeChangeRequest", inProposed)
    expect(merged.result).toBe("merge")
    const afterMerge = await ada.call<ChangeRequest>("getChangeRequestById", inProposed)
    expect([afterMerge.status, afterMerge.revisionMerged]).toEqual(["merged", merged.revision])
    const { pages } = await ada.call<{ pages: ReadonlyArray<ContentPage> }>("listPages", at)
    expect(pages.map(({ title }) => title)).toEqual(["Start", "Proposed"])
    await ada.expectError(409, "mergeChangeRequest", inProposed)
    await ada.expectError(409, "updateChangeRequestById", inProposed, { body: { status: "draft" } })
    expect(await list({ status: "merged" })).toEqual([proposed.id])

    // The changes of a merged change request are proposed again.
    const again = await bob.call<ChangeRequest>("createChangeRequest", at, {
      body: { reapplies: proposed.id }
    })
    expect(again.subject).toBe("Explain all options")

    // An archived change request cannot be merged until it is reopened.
    const inSecond = { ...at, changeRequestId: second.id }
    await ada.call("updateChangeRequestById", inSecond, { body: { status: "archived" } })
    expect(await list({ status: "archived" })).toEqual([second.id])
    await ada.expectError(409, "mergeChangeRequest", inSecond)
    const reopened = await ada.call<ChangeRequest>("updateChangeRequestById", inSecond, {
      body: { status: "draft" }
    })
    expect(reopened.status).toBe("draft")
  }
}
