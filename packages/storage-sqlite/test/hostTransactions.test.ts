/** Transactions over the rows of a host and of a workspace in SQLite: in a file of Lectern, and on a handle of the host. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { CurrentUser, createWorkspace, Spaces, Workspace } from "@lectern/core"
import { sqlite, sqliteDatabase } from "@lectern/storage-sqlite"
import { Fault, FaultyStorage } from "@lectern/testkit"
import { Effect } from "effect"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import {
  contentOf,
  type HostDatabase,
  testHostTransactions
} from "../../storage-sql/test/support/hostTransactions.ts"

const folder = mkdtempSync(join(tmpdir(), "lectern-host-transactions-"))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

const openHost = async (isShared: boolean): Promise<HostDatabase> => {
  const filename = join(folder, `${files++}.db`)
  const database = new DatabaseSync(filename)
  database.exec(
    `CREATE TABLE tickets (id TEXT PRIMARY KEY, parent TEXT REFERENCES tickets (id) DEFERRABLE INITIALLY DEFERRED)`
  )
  return {
    storage: sqlite({ ...(isShared ? { database } : { filename }), prefix: "lectern_" }),
    insert: async (tx, id, parent) => {
      sqliteDatabase(tx)
        .prepare("INSERT INTO tickets VALUES (?, ?)")
        .run(id, parent ?? null)
    },
    execute: async (tx, text) => sqliteDatabase(tx).exec(text),
    tickets: async () =>
      database
        .prepare("SELECT id FROM tickets")
        .all()
        .map(({ id }) => String(id)),
    close: async () => database.close()
  }
}

testHostTransactions("a file of SQLite", () => openHost(false))
testHostTransactions("a handle of the host", () => openHost(true))

describe("a transaction of a host", () => {
  const openFaulty = async () => {
    const host = await openHost(false)
    const storage = FaultyStorage.make(host.storage)
    const workspace = createWorkspace({ storage: storage.layer })
    onTestFinished(async () => {
      await workspace.dispose()
      await host.close()
    })
    const ada = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
    const organization = await workspace.administration.createOrganization({
      administrator: ada,
      input: { title: "Acme" }
    })
    const titles = async () =>
      (await workspace.as(ada).spaces.list({ organization })).items.map(({ title }) => title)
    return { host, storage, workspace, ada, organization, titles }
  }

  it.each(["fails", "conflicts"] as const)("is atomic if the store %s at any step", async (kind) => {
    const { host, storage, workspace, ada, organization, titles } = await openFaulty()
    let _attempts = 0
    const perform = (name: string) =>
      workspace.transaction({ organizations: [organization] }, async (tx) => {
        _attempts += 1
        await host.insert(tx, name)
        await tx.as(ada).spaces.create({ organization, input: { title: name } })
        // Handles every error of a command, as a host can.
        await tx
          .as(ada)
          .spaces.create({ organization, input: { title: `${name} again` } })
          .catch(() => {})
        return name
      })
    storage.takeSteps()
    await perform("first")
    const steps = storage.takeSteps()
    expect(steps.length).toBeGreaterThan(20)
    const stored = ["first"]
    for (const [index, { kind: step }] of steps.entries()) {
      const name = `step ${index}`
      storage.takeSteps()
      _attempts = 0
      storage.inject((kind === "fails" ? Fault.fail : Fault.conflict)(Fault.at.nth(index + 1, Fault.at.any)))
      const [settled] = await Promise.allSettled([perform(name)])
      storage.heal()
      const tickets = await host.tickets()
      const spaces = await titles()
      const isStored = tickets.includes(name)
      expect([spaces.includes(name), name, step]).toEqual([isStored, name, step])
      // Only the response of a commit can be lost after it.
      if (settled.status === "rejected") expect([isStored, name]).toEqual([step === "response", name])
      else expect([isStored, name]).toEqual([true, name])
      if (kind === "conflicts") {
        expect([settled.status, spaces.includes(`${name} again`)]).toEqual(["fulfilled", true])
      }
      if (isStored) stored.push(name)
      expect(tickets.toSorted()).toEqual(stored.toSorted())
    }
    const content = await contentOf(workspace, ada, organization)
    expect([content.events, content.audited]).toEqual([content.titles.length, content.titles.length])
  })

  it("runs an effect, whose commands join it", async () => {
    const { host, workspace, ada, organization, titles } = await openFaulty()
    const create = (title: string, error: string | undefined) =>
      Workspace.transaction({ organizations: [organization] }, (tx) =>
        Effect.gen(function* () {
          const spaces = yield* Spaces
          yield* spaces.create({ organization, input: { title } })
          sqliteDatabase(tx).prepare("INSERT INTO tickets (id) VALUES (?)").run(title)
          if (error !== undefined) yield* Effect.fail(error)
          return title
        })
      ).pipe(CurrentUser.provide(ada))
    expect(await workspace.runtime.runPromise(create("One", undefined))).toBe("One")
    expect(await workspace.runtime.runPromise(Effect.flip(create("Two", "no")))).toBe("no")
    expect([await host.tickets(), await titles()]).toEqual([["One"], ["One"]])
  })

  it("fails an effect that exceeds its time limit", async () => {
    const { host, workspace, organization } = await openFaulty()
    const slow = Workspace.transaction({ organizations: [organization], timeoutMs: 50 }, (tx) => {
      sqliteDatabase(tx).exec("INSERT INTO tickets (id) VALUES ('slow')")
      return Effect.never
    })
    expect(await workspace.runtime.runPromise(Effect.flip(slow))).toMatchObject({ reason: "TimedOut" })
    expect(await host.tickets()).toEqual([])
  })

  it("cannot be nested, and its statements end with it", async () => {
    const { workspace, organization } = await openFaulty()
    const nested = Workspace.transaction({ organizations: [organization] }, () =>
      Workspace.transaction({ organizations: [organization] }, () => Effect.void)
    )
    await expect(workspace.runtime.runPromise(nested)).rejects.toMatchObject({ reason: "Nested" })
    const statement = await workspace.transaction({ organizations: [organization] }, async (tx) =>
      sqliteDatabase(tx).prepare("INSERT INTO tickets (id) VALUES ('late')")
    )
    expect(() => statement.run()).toThrow("has ended")
  })
})
