/** Users announce that they have a page open, and see who else has. */
import type { ChangeRequest, ContentPage, Page, PagePresences, Space } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"

export const presence: ContractScenario = {
  title: "Users who have a page open see each other",
  requires: "presence",
  run: async ({ ada, bob, acme }) => {
    const space = await ada.call<Space>(
      "createSpace",
      { organizationId: acme.id },
      { body: { title: "Open pages" } }
    )
    const at = { spaceId: space.id }
    await ada.call("updateSpaceContent", at, {
      body: { changes: [{ operation: "insert_page", title: "Start", document: { markdown: "Words." } }] }
    })
    const { pages } = await ada.call<Page<ContentPage> & { pages: ReadonlyArray<ContentPage> }>(
      "listPages",
      at
    )
    const page = pages[0]!.id
    const announce = (person: typeof ada, client: string, state: string) =>
      person.call<PagePresences>("announcePresenceInSpace", at, { body: { page, client, state } })
    expect((await announce(ada, "window-1", "editing")).others).toEqual([])
    const { others } = await announce(bob, "window-2", "viewing")
    expect(others).toMatchObject([{ client: "window-1", user: { id: ada.id }, state: "editing" }])
    await announce(ada, "window-1", "left")
    expect((await announce(bob, "window-2", "viewing")).others).toEqual([])

    // A change request has its own readers.
    const { id } = await bob.call<ChangeRequest>("createChangeRequest", at, { body: { subject: "Draft" } })
    const inIt = { ...at, changeRequestId: id }
    const there = await ada.call<PagePresences>("announcePresenceInChangeRequest", inIt, {
      body: { page, client: "window-1", state: "viewing" }
    })
    expect(there.others).toEqual([])
    await ada.expectError(404, "announcePresenceInSpace", at, {
      body: { page: "missing", client: "window-1", state: "viewing" }
    })
  }
}
