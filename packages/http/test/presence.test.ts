/** Presence: who has a page open, across processes, for as long as it is announced, and only for people who can see the page. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createWorkspace } from "@lectern/core"
import { sqlite } from "@lectern/storage-sqlite"
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 5, 9) })
})
afterEach(() => {
  vi.useRealTimers()
})

const open = async () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-presence-"))
  const file = join(folder, "lectern.db")
  // Two processes of one workspace.
  const [workspace, second] = [
    createWorkspace({ storage: sqlite(file) }),
    createWorkspace({ storage: sqlite(file) })
  ]
  onTestFinished(async () => {
    await second.dispose()
    await workspace.dispose()
    rmSync(folder, { recursive: true })
  })
  const { administration } = workspace
  const [ada, bob, eve] = await Promise.all(
    ["ada", "bob", "eve"].map((name) =>
      administration.createUser({ input: { email: `${name}@example.com`, displayName: name } })
    )
  )
  const organization = await administration.createOrganization({
    administrator: ada!,
    input: { title: "Acme" }
  })
  const asAda = workspace.as(ada!)
  await asAda.invites.inviteByEmail({ organization, input: { emails: ["bob@example.com"], role: "admin" } })
  const { id: space } = await asAda.spaces.create({ organization, input: { title: "Guide" } })
  await asAda.content.edit({
    content: { space },
    input: { changes: [{ operation: "insert_page", title: "Page", document: { markdown: "First" } }] }
  })
  const { pages } = await asAda.content.listPages({ content: { space } })
  const page = pages[0]!.id
  const announce = async (
    one: typeof workspace,
    user: typeof ada,
    client: string,
    state: "viewing" | "editing" | "left" = "viewing",
    content: { readonly space: typeof space; readonly changeRequest?: string } = { space }
  ) => {
    const { others } = await one
      .as(user!)
      .presence.announce({ content: content as never, input: { page, client, state } })
    return others.map((other) => `${other.user.displayName} ${other.client} ${other.state}`)
  }
  return { workspace, second, ada, bob, eve, space, page, organization, asAda, announce }
}

describe("a user who has a page open", () => {
  it("is visible to others, in all processes, with their activity", async () => {
    const { workspace, second, ada, bob, announce } = await open()
    expect(await announce(workspace, ada, "a1")).toEqual([])
    expect(await announce(second, bob, "b1")).toEqual(["ada a1 viewing"])
    expect(await announce(workspace, ada, "a1", "editing")).toEqual(["bob b1 viewing"])
    expect(await announce(second, bob, "b1")).toEqual(["ada a1 editing"])
    // Another window of the same user.
    expect(await announce(workspace, ada, "a2")).toEqual(["ada a1 editing", "bob b1 viewing"])
  })

  it("is no longer seen after leaving, or when the announcement expires", async () => {
    const { workspace, ada, bob, announce } = await open()
    await announce(workspace, ada, "a1")
    expect(await announce(workspace, bob, "b1")).toEqual(["ada a1 viewing"])
    await announce(workspace, ada, "a1", "left")
    expect(await announce(workspace, bob, "b1")).toEqual([])
    await announce(workspace, ada, "a1")
    vi.setSystemTime(Date.now() + 46_000)
    expect(await announce(workspace, bob, "b1")).toEqual([])
  })

  it("is not seen on another content of the page, such as a change request", async () => {
    const { workspace, ada, bob, asAda, space, announce } = await open()
    const { id: changeRequest } = await asAda.changeRequests.create({ space, input: {} })
    await announce(workspace, ada, "a1", "editing", { space, changeRequest })
    expect(await announce(workspace, bob, "b1")).toEqual([])
    expect(await announce(workspace, bob, "b1", "viewing", { space, changeRequest })).toEqual([
      "ada a1 editing"
    ])
  })

  it("is not seen by users who cannot read the space, and they are not announced", async () => {
    const { workspace, ada, eve, announce } = await open()
    await announce(workspace, ada, "a1")
    await expect(announce(workspace, eve, "e1")).rejects.toMatchObject({ _tag: "NotFound" })
    expect(await announce(workspace, ada, "a1")).toEqual([])
  })

  it("cannot announce more than 20 windows on one page, nor a page that does not exist", async () => {
    const { workspace, ada, bob, space, announce } = await open()
    for (let index = 0; index < 25; index++) await announce(workspace, ada, `a${index}`)
    expect((await announce(workspace, bob, "b1")).length).toBe(20)
    const missing = workspace.as(ada!).presence.announce({
      content: { space },
      input: { page: "missing" as never, client: "a", state: "viewing" }
    })
    await expect(missing).rejects.toMatchObject({ _tag: "InvalidInput" })
  })
})
