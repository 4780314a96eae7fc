/** Work is proposed, brought up to date, reviewed and merged. */
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
import { idsOf, pagesOf } from "./reading.ts"

export const changeRequests: ContractScenario = {
  title: "Work is proposed, brought up to date, reviewed and merged",
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
    const mine = await bob.call<ChangeRequest>("createChangeRequest", at, {
      body: { subject: "Say it better", agentTaskId: "task-1" }
    })
    expect(mine).toMatchObject({
      status: "draft",
      subject: "Say it better",
      outdated: false,
      comments: 0,
      createdBy: { id: bob.id },
      revisionInitial: first.revision ?? mine.revisionInitial
    })
    const inMine = { ...at, changeRequestId: mine.id }
    const write = (changeRequestId: string, title: string) =>
      bob.call(
        "updateChangeRequestContent",
        { ...at, changeRequestId },
        {
          body: { changes: [{ operation: "insert_page", title, document: { markdown: title } }] }
        }
      )
    await write(mine.id, "Proposed")
    const opened = await bob.call<ChangeRequest>("updateChangeRequestById", inMine, {
      body: { subject: "Say it well", status: "open" }
    })
    expect(opened).toMatchObject({ status: "open", subject: "Say it well" })
    expect(
      await bob.call<ChangeRequest>("getChangeRequestById", { ...at, changeRequestId: String(mine.number) })
    ).toEqual(opened)
    const others = await ada.call<ChangeRequest>("createChangeRequest", at)
    await ada.call(
      "updateChangeRequestById",
      { ...at, changeRequestId: others.id },
      { body: { status: "open" } }
    )
    const list = async (query: { readonly [name: string]: string } = {}) =>
      idsOf(await ada.call<Page<ChangeRequest>>("listChangeRequestsForSpace", at, { query }))
    expect(await list()).toEqual([others.id, mine.id])
    expect(await list({ status: "open", contributor: bob.id })).toEqual([mine.id])
    expect(await list({ creator: ada.id })).toEqual([others.id])
    const counts = await ada.call<Space>("getSpaceById", at)
    expect([counts.changeRequests, counts.changeRequestsOpen, counts.changeRequestsDraft]).toEqual([2, 2, 0])

    // The page is exported as PDF, without the pages below it.
    for (const query of [{ page, only: true }, {}]) {
      const { url } = await ada.call<{ url: string }>("getChangeRequestPDF", inMine, { query })
      expect(URL.canParse(url)).toBe(true)
    }

    // The space changes; Bob updates his change request, and Ada merges it.
    await ada.call("updateSpaceContent", at, {
      body: { changes: [{ operation: "update_page", page, document: { markdown: "One.\n\nTwo!" } }] }
    })
    expect((await bob.call<ChangeRequest>("getChangeRequestById", inMine)).outdated).toBe(true)
    const updated = await bob.call<UpdateResult>("updateChangeRequest", inMine)
    expect(updated.result).toBe("update")
    const fresh = await bob.call<ChangeRequest>("getChangeRequestById", inMine)
    expect([fresh.outdated, fresh.revision]).toEqual([false, updated.revision])
    await bob.refused(403, "mergeChangeRequest", inMine)
    const merged = await ada.call<MergeResult>("mergeChangeRequest", inMine)
    expect(merged.result).toBe("merge")
    const done = await ada.call<ChangeRequest>("getChangeRequestById", inMine)
    expect([done.status, done.revisionMerged]).toEqual(["merged", merged.revision])
    const { pages } = await ada.call<{ pages: ReadonlyArray<ContentPage> }>("listPages", at)
    expect(pages.map(({ title }) => title)).toEqual(["Start", "Proposed"])
    await ada.refused(409, "mergeChangeRequest", inMine)
    await ada.refused(409, "updateChangeRequestById", inMine, { body: { status: "draft" } })
    expect(await list({ status: "merged" })).toEqual([mine.id])

    // An archived change request can be reopened, and cannot be merged before.
    const other = { ...at, changeRequestId: others.id }
    await ada.call("updateChangeRequestById", other, { body: { status: "archived" } })
    expect(await list({ status: "archived" })).toEqual([others.id])
    await ada.refused(409, "mergeChangeRequest", other)
    const back = await ada.call<ChangeRequest>("updateChangeRequestById", other, {
      body: { status: "draft" }
    })
    expect(back.status).toBe("draft")
  }
}
