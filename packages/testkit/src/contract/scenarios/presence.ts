/** Users announce that they have a page open, and see who else has. */
import type { ChangeRequest, ContentPage, Page, PagePresences, Space } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"

export const presence: ContractScenario = {
  title: "Users who have a page open see each other",
  requires: ["presence"],
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
    // The suite repeats requests with other names of clients.
    const seenIn = ({ others }: PagePresences) =>
      others
        .filter(({ client }) => client.startsWith("window-"))
        .map(({ client, state }) => `${client} ${state}`)
    const announce = async (person: typeof ada, client: string, state: string) =>
      seenIn(
        await person.call<PagePresences>("announcePresenceInSpace", at, { body: { page, client, state } })
      )
    await announce(ada, "window-1", "editing")
    const seen = await announce(bob, "window-2", "viewing")
    expect(seen).toContain("window-1 editing")
    await announce(ada, "window-1", "left")
    expect(await announce(bob, "window-2", "viewing")).not.toContain("window-1 editing")

    // A change request has its own readers.
    const { id } = await bob.call<ChangeRequest>("createChangeRequest", at, { body: { subject: "Draft" } })
    const inIt = { ...at, changeRequestId: id }
    const there = await ada.call<PagePresences>("announcePresenceInChangeRequest", inIt, {
      body: { page, client: "window-3", state: "viewing" }
    })
    expect(seenIn(there)).not.toContain("window-2 viewing")
    await ada.expectError(400, "announcePresenceInSpace", at, {
      body: { page: "missing", client: "window-1", state: "viewing" }
    })
  }
}
