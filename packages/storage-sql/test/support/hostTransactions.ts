/** Tests of transactions over the rows of a host and of a workspace, for every database that both can share. */
import {
  createWorkspace,
  type EmbeddedWorkspace,
  events,
  HostTransactionError,
  outboxEvents,
  Records,
  type RecordsAdapter,
  type TransactionOf,
  Where
} from "@lectern/core"
import { runs } from "@lectern/harness"
import { Effect, type Layer } from "effect"
import * as fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"

/** The database of a host, which has a table `tickets` with a key `id` of type `text`, and a `parent` that is checked at the commit. */
export interface HostDatabase {
  readonly storage: Layer.Layer<RecordsAdapter, unknown>
  /** Inserts a ticket on the connection of the transaction. */
  readonly insert: (tx: TransactionOf, id: string, parent?: string) => Promise<void>
  /** Executes a statement on the connection of the transaction. */
  readonly execute: (tx: TransactionOf, text: string) => Promise<void>
  /** Reads the ids of the committed tickets. */
  readonly tickets: () => Promise<ReadonlyArray<string>>
  /** Terminates the connection of the transaction; absent if the database is in the process. */
  readonly kill?: (tx: TransactionOf) => Promise<void>
  readonly close: () => Promise<void>
}

/** A step of the callback of a transaction. */
type Step =
  | "insert"
  | "create"
  | "create and remove"
  | "fail and catch"
  | "forbidden and catch"
  | "throw"
  | "fail"
  | "duplicate"
  | "violate at commit"
  | "commit"
  | "kill"
  | "not awaited"

const harmless: ReadonlyArray<Step> = [
  "insert",
  "create",
  "create and remove",
  "fail and catch",
  "forbidden and catch"
]
const harmful: ReadonlyArray<Step> = [
  "throw",
  "fail",
  "duplicate",
  "violate at commit",
  "commit",
  "kill",
  "not awaited"
]

const open = async (host: HostDatabase) => {
  const workspace = createWorkspace({ storage: host.storage })
  onTestFinished(async () => {
    await workspace.dispose()
    await host.close()
  })
  const [ada, bob] = await Promise.all(
    ["ada@example.com", "bob@example.com"].map((email) =>
      workspace.administration.createUser({ input: { email } })
    )
  )
  const organizations = []
  for (const title of ["Acme", "Beta"]) {
    organizations.push(
      await workspace.administration.createOrganization({ administrator: ada!, input: { title } })
    )
  }
  return { workspace, ada: ada!, bob: bob!, organization: organizations[0]!, other: organizations[1]! }
}

/** Reads the titles of the spaces, and how many events and audit records report their creation. */
export const contentOf = async (workspace: EmbeddedWorkspace, user: string, organization: string) => {
  const { items } = await workspace.as(user).spaces.list({ organization, input: { limit: 1_000 } })
  const written = await workspace.runtime.runPromise(
    Effect.gen(function* () {
      const records = yield* Records
      const created = Where.eq<{ readonly type: string }, "type">("type", "space.created")
      return (yield* records.count(outboxEvents, created)) + (yield* records.count(events, created))
    })
  )
  const audited: Array<string> = []
  let page: string | undefined
  do {
    const list = await workspace.as(user).auditLog.list({
      organization,
      input: { operation: "Spaces.create", ...(page === undefined ? {} : { page }) }
    })
    audited.push(...list.items.filter(({ outcome }) => outcome === "success").map(({ id }) => id))
    page = list.next?.page
  } while (page !== undefined)
  return { titles: items.map(({ title }) => title).sort(), events: written, audited: audited.length }
}

/** Declares the tests. */
export const testHostTransactions = (name: string, openHost: () => Promise<HostDatabase>): void => {
  describe(`transactions of a host in ${name}`, () => {
    it("stores the rows of the host and of the workspace together, or neither, after every fault", async () => {
      const host = await openHost()
      const { workspace, ada, bob, organization } = await open(host)
      let created = 0
      let count = 0

      const plan = fc.record({
        before: fc.array(fc.constantFrom(...harmless), { maxLength: 4 }),
        fault: fc.option(fc.constantFrom(...harmful), { nil: undefined }),
        after: fc.array(fc.constantFrom(...harmless), { maxLength: 2 }),
        conflicts: fc.integer({ min: 0, max: 2 }),
        isSerializable: fc.boolean()
      })
      await fc.assert(
        fc.asyncProperty(plan, async ({ before, fault, after, conflicts, isSerializable }) => {
          const run = ++count
          let attempts = 0
          let tickets: Array<string> = []
          let titles: Array<string> = []
          let removed = 0
          const perform = async (tx: TransactionOf, step: Step, index: number): Promise<void> => {
            const { spaces } = tx.as(ada)
            const title = `space ${run}.${index}`
            switch (step) {
              case "insert":
                tickets.push(`${run}.${index}`)
                return host.insert(tx, `${run}.${index}`)
              case "create":
                titles.push(title)
                return void (await spaces.create({ organization, input: { title } }))
              case "create and remove": {
                removed += 1
                const { id } = await spaces.create({ organization, input: { title: `${title} removed` } })
                return void (await spaces.remove({ space: id }))
              }
              case "fail and catch":
                return void (await expect(
                  spaces.create({ organization, input: { title, parent: "none" } })
                ).rejects.toMatchObject({ _tag: "NotFound" }))
              case "forbidden and catch":
                return void (await expect(
                  tx.as(bob).spaces.create({ organization, input: { title } })
                ).rejects.toThrow())
              case "throw":
                throw new Error("The host has changed its mind.")
              case "fail":
                return void (await spaces.remove({ space: "none" }))
              case "duplicate":
                await host.insert(tx, `duplicate ${run}`)
                return host.insert(tx, `duplicate ${run}`)
              case "violate at commit":
                return host.insert(tx, `orphan ${run}`, "none")
              case "commit":
                return host.execute(tx, " /* now */ commit")
              case "kill":
                if (host.kill === undefined) throw new Error("killed")
                return host.kill(tx)
              case "not awaited":
                titles.push(title)
                void spaces.create({ organization, input: { title } }).catch(() => {})
            }
          }
          // A step after one that was not awaited would wait for it.
          const rest = fault === "not awaited" ? [] : after
          const steps = [...before, ...(fault === undefined ? [] : [fault]), ...rest]
          const result = workspace.transaction(
            { organizations: [organization], ...(isSerializable ? { isolation: "serializable" } : {}) },
            async (tx) => {
              attempts += 1
              tickets = []
              titles = []
              removed = 0
              for (const [index, step] of steps.entries()) {
                if (index === before.length && attempts <= conflicts && host.kill !== undefined) {
                  throw new Error("wrapped", {
                    cause: Object.assign(new Error("deadlock"), { code: "40P01" })
                  })
                }
                await perform(tx, step, index)
              }
              return "done"
            }
          )
          const [settled] = await Promise.allSettled([result])
          // An operation that was not awaited can have ended in time, if the store is in the process.
          if (fault !== "not awaited") {
            expect([settled.status, settled]).toEqual([
              fault === undefined ? "fulfilled" : "rejected",
              settled
            ])
          }
          const isStored = settled.status === "fulfilled"
          const ofRun = (text: string) => text.split(/[ .]/).includes(`${run}`)
          const stored = await host.tickets()
          expect(stored.filter(ofRun).toSorted()).toEqual(isStored ? tickets.toSorted() : [])
          const { items } = await workspace.as(ada).spaces.list({ organization, input: { limit: 1_000 } })
          expect(
            items
              .map(({ title }) => title)
              .filter(ofRun)
              .toSorted()
          ).toEqual(isStored ? titles.toSorted() : [])
          if (isStored) created += titles.length + removed
        }),
        runs(60)
      )
      const content = await contentOf(workspace, ada, organization)
      expect([content.events, content.audited]).toEqual([created, created])
    })

    it("rolls back after the time limit, and rejects later operations of the host", async () => {
      const host = await openHost()
      const { workspace, ada, organization } = await open(host)
      let late: Promise<unknown> | undefined
      const wait = Promise.withResolvers<void>()
      const result = workspace.transaction({ organizations: [organization], timeoutMs: 300 }, async (tx) => {
        await host.insert(tx, "early")
        await tx.as(ada).spaces.create({ organization, input: { title: "Early" } })
        late = wait.promise.then(() =>
          Promise.allSettled([
            host.insert(tx, "late"),
            tx.as(ada).spaces.create({ organization, input: { title: "Late" } })
          ])
        )
        await new Promise(() => {})
      })
      await expect(result).rejects.toMatchObject({ name: "HostTransactionError", reason: "TimedOut" })
      wait.resolve()
      expect(await late).toMatchObject([
        { status: "rejected", reason: { reason: "Ended" } },
        { status: "rejected", reason: { reason: "Ended" } }
      ])
      expect(await host.tickets()).toEqual([])
      expect((await contentOf(workspace, ada, organization)).titles).toEqual([])
      // The connection is usable again.
      await workspace.transaction({ organizations: [organization] }, (tx) => host.insert(tx, "next"))
      expect(await host.tickets()).toEqual(["next"])
    })

    it("rejects commands on organizations that it does not name, and commands that no lock covers", async () => {
      const host = await openHost()
      const { workspace, ada, organization, other } = await open(host)
      const inBeta = await workspace.as(ada).spaces.create({ organization: other, input: { title: "Beta" } })
      await workspace.transaction({ organizations: [organization] }, async (tx) => {
        const { spaces } = tx.as(ada)
        const unnamed = { name: "HostTransactionError", reason: "OrganizationNotNamed" }
        await expect(spaces.create({ organization: other, input: { title: "No" } })).rejects.toMatchObject(
          unnamed
        )
        await expect(spaces.update({ space: inBeta.id, input: { title: "No" } })).rejects.toMatchObject(
          unnamed
        )
        await expect(
          tx.administration.createOrganization({ administrator: ada, input: { title: "No" } })
        ).rejects.toMatchObject({ reason: "RequiresSerializable" })
        await spaces.create({ organization, input: { title: "Yes" } })
      })
      expect((await contentOf(workspace, ada, other)).titles).toEqual(["Beta"])
      expect((await contentOf(workspace, ada, organization)).titles).toEqual(["Yes"])
    })

    it("creates a user and a membership, and in a serializable one also an organization", async () => {
      const host = await openHost()
      const { workspace, ada, organization } = await open(host)
      await workspace.transaction({ organizations: [organization] }, async (tx) => {
        await host.insert(tx, "eve")
        const eve = await tx.administration.createUser({ input: { email: "eve@example.com" } })
        await tx.administration.setMember({ organization, user: eve, input: { role: "create" } })
        await tx.as(eve).spaces.create({ organization, input: { title: "By Eve" } })
      })
      const created = await workspace.transaction(
        { organizations: [], isolation: "serializable" },
        async (tx) => {
          await host.insert(tx, "gamma")
          return tx.administration.createOrganization({ administrator: ada, input: { title: "Gamma" } })
        }
      )
      expect((await contentOf(workspace, ada, organization)).titles).toEqual(["By Eve"])
      expect((await contentOf(workspace, ada, created)).titles).toEqual([])
      expect([...(await host.tickets())].sort()).toEqual(["eve", "gamma"])
    })

    it("reads its own writes on the connection and in the workspace, and delivers events only after the commit", async () => {
      const host = await openHost()
      const { workspace, ada, organization } = await open(host)
      const delivered: Array<string> = []
      const unsubscribe = workspace.on("space.created", ({ data }) => void delivered.push(data.title))
      await workspace.transaction({ organizations: [organization] }, async (tx) => {
        await tx.as(ada).spaces.create({ organization, input: { title: "Seen" } })
        const { items } = await tx.as(ada).spaces.list({ organization })
        expect(items.map(({ title }) => title)).toEqual(["Seen"])
        await new Promise((resolve) => setTimeout(resolve, 100))
        expect(delivered).toEqual([])
      })
      await expect.poll(() => delivered, { timeout: 20_000 }).toEqual(["Seen"])
      await unsubscribe()
    })

    it("rejects options that are not valid", async () => {
      const host = await openHost()
      const { workspace, organization } = await open(host)
      const body = async () => {}
      await expect(workspace.transaction({ organizations: [] }, body)).rejects.toBeInstanceOf(TypeError)
      await expect(
        workspace.transaction({ organizations: Array.from({ length: 21 }, (_, index) => `o${index}`) }, body)
      ).rejects.toBeInstanceOf(TypeError)
      for (const timeoutMs of [0, 1.5, 60_001]) {
        await expect(
          workspace.transaction({ organizations: [organization], timeoutMs }, body)
        ).rejects.toBeInstanceOf(TypeError)
      }
      await expect(
        workspace.transaction({ organizations: [organization] }, (tx) => host.execute(tx, "SAVEPOINT one"))
      ).rejects.toBeInstanceOf(HostTransactionError)
    })
  })
}
