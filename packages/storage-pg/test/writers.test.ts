/** The rollbacks of concurrent writers on PostgreSQL: the part of `npm run bench:writers` that needs no clock. */
import { createWorkspace } from "@lectern/core"
import { postgres } from "@lectern/storage-pg"
import { Redacted } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createDatabase } from "./support.ts"

/** The number of workspaces, each with connections and queues of its own, as in separate processes. */
const workspaceCount = 3

const open = (url: string) => createWorkspace({ storage: postgres({ url, maxConnections: 4 }) })

describe("concurrent writers on PostgreSQL", () => {
  let url: string
  let workspaces: ReadonlyArray<ReturnType<typeof open>>
  let user: string
  let organization: string

  beforeAll(async () => {
    url = Redacted.value(await createDatabase())
    workspaces = Array.from({ length: workspaceCount }, () => open(url))
    const { administration } = workspaces[0]!
    user = await administration.createUser({ input: { email: "ada@example.com" } })
    organization = await administration.createOrganization({
      administrator: user,
      input: { title: "Acme" }
    })
  })
  afterAll(() => Promise.all(workspaces.map((workspace) => workspace.dispose())))

  const createSpace = async (): Promise<string> =>
    (await workspaces[0]!.as(user).spaces.create({ organization, input: {} })).id

  /** Counts the rollbacks until now. The statistics of a connection are complete when it has closed. */
  const countRollbacks = async (): Promise<number> => {
    await Promise.all(workspaces.map((workspace) => workspace.dispose()))
    const client = new pg.Client(url)
    await client.connect()
    // The connections that `dispose` has closed end in the background.
    for (;;) {
      const { rows } = await client.query<{ open: string; rollbacks: string }>(
        `SELECT numbackends - 1 AS open, xact_rollback AS rollbacks
         FROM pg_stat_database WHERE datname = current_database()`
      )
      if (Number(rows[0]!.open) > 0) continue
      await client.end()
      workspaces = workspaces.map(() => open(url))
      return Number(rows[0]!.rollbacks)
    }
  }

  type User = ReturnType<ReturnType<typeof open>["as"]>

  /** Runs 48 writes by 24 clients, and returns the number of rollbacks. */
  const write = async (
    spaces: ReadonlyArray<string>,
    writeTo: (caller: User, space: string, number: number) => Promise<unknown>
  ): Promise<number> => {
    const before = await countRollbacks()
    const clients = Array.from({ length: 24 }, async (_, client) => {
      const caller = workspaces[client % workspaceCount]!.as(user)
      for (const round of [0, 1]) {
        await writeTo(caller, spaces[client % spaces.length]!, client * 2 + round)
      }
    })
    await Promise.all(clients)
    return (await countRollbacks()) - before
  }

  const edit = (caller: User, space: string, number: number) =>
    caller.content.edit({
      content: { space },
      input: {
        changes: [
          { operation: "insert_page", title: `Page ${number}`, document: { markdown: `# Page ${number}` } }
        ]
      }
    })

  it("does not roll back edits of unrelated spaces", async () => {
    const spaces = []
    for (let i = 0; i < 8; i++) spaces.push(await createSpace())
    expect(await write(spaces, edit)).toBeLessThanOrEqual(0.05 * 48)
  })

  it("does not roll back edits of one space, and stores all of them", async () => {
    const space = await createSpace()
    expect(await write([space], edit)).toBeLessThanOrEqual(0.2 * 48)
    const { pages } = await workspaces[0]!.as(user).content.listPages({ content: { space } })
    expect(pages).toHaveLength(48)
  })

  it("does not roll back comments on one space, and counts them exactly", async () => {
    const space = await createSpace()
    const rollbacks = await write([space], (caller, target, number) =>
      caller.comments.create({ target: { space: target }, input: { body: { markdown: `${number}` } } })
    )
    expect(rollbacks).toBeLessThanOrEqual(0.2 * 48)
    expect((await workspaces[0]!.as(user).spaces.get({ space })).comments).toBe(48)
  })

  it("numbers concurrent change requests without gaps", async () => {
    const space = await createSpace()
    const numbers: Array<number> = []
    const rollbacks = await write([space], async (caller, target) => {
      numbers.push((await caller.changeRequests.create({ space: target })).number)
    })
    expect(rollbacks).toBeLessThanOrEqual(0.2 * 48)
    expect(numbers.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 48 }, (_, index) => index + 1)
    )
  })
})
