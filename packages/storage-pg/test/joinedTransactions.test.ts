/** Commands in transactions that a host has begun in PostgreSQL, on a client of its own. */
import { createWorkspace, HostTransactionError, isLecternError } from "@lectern/core"
import { runs } from "@lectern/harness"
import { pgTransaction, postgres } from "@lectern/storage-pg"
import { MemoryStorage } from "@lectern/testkit"
import { Redacted } from "effect"
import * as fc from "fast-check"
import pg from "pg"
import { describe, expect, it, onTestFinished } from "vitest"
import { contentOf } from "../../storage-sql/test/support/hostTransactions.ts"
import { createDatabase } from "./support.ts"

const open = async (options: { readonly max?: number } = {}) => {
  const pool = new pg.Pool({
    connectionString: Redacted.value(await createDatabase()),
    max: options.max ?? 6
  })
  pool.on("error", () => {})
  await pool.query(
    `CREATE TABLE tickets (id TEXT PRIMARY KEY, parent TEXT REFERENCES tickets (id) DEFERRABLE INITIALLY DEFERRED)`
  )
  const workspace = createWorkspace({ storage: postgres({ pool, schema: "lectern" }) })
  onTestFinished(async () => {
    await workspace.dispose()
    // A client of a failed test is not returned.
    void pool.end()
  })
  const { administration } = workspace
  const ada = await administration.createUser({ input: { email: "ada@example.com" } })
  const bob = await administration.createUser({ input: { email: "bob@example.com" } })
  const organization = await administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })
  const tickets = async () =>
    (await pool.query<{ id: string }>("SELECT id FROM tickets ORDER BY id")).rows.map(({ id }) => id)
  const titles = async () =>
    (await workspace.as(ada).spaces.list({ organization, input: { limit: 1_000 } })).items
      .map(({ title }) => title)
      .toSorted()
  /** Runs the body between `BEGIN` and `COMMIT` of a client, and rolls back if it fails. */
  const inHost = async <A>(body: (client: pg.PoolClient) => Promise<A>, begin = "BEGIN"): Promise<A> => {
    const client = await pool.connect()
    client.on("error", () => {})
    try {
      await client.query(begin)
      const result = await body(client)
      await client.query("COMMIT")
      client.release()
      return result
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {})
      client.release(true)
      throw error
    }
  }
  return { pool, workspace, ada, bob, organization, tickets, titles, inHost }
}

const insertTicket = (client: pg.PoolClient, id: string, parent?: string) =>
  client.query("INSERT INTO tickets VALUES ($1, $2)", [id, parent ?? null])

describe("a transaction of the host that commands join", () => {
  it("commits and rolls back the rows of both", async () => {
    const { workspace, ada, organization, tickets, titles, inHost } = await open()
    const create = (name: string, isKept: boolean) =>
      inHost(async (client) => {
        await insertTicket(client, name)
        const tx = await workspace.joinTransaction(pgTransaction(client))
        const { id } = await tx.as(ada).spaces.create({ organization, input: { title: name } })
        expect((await tx.as(ada).spaces.get({ space: id })).title).toBe(name)
        expect(await titles()).not.toContain(name)
        if (!isKept) throw new Error("The host has changed its mind.")
      })
    await expect(create("no", false)).rejects.toThrow("changed its mind")
    await create("yes", true)
    expect([await tickets(), await titles()]).toEqual([["yes"], ["yes"]])
    const content = await contentOf(workspace, ada, organization)
    expect([content.events, content.audited]).toEqual([1, 1])
  })

  it("continues after a command has failed, without its changes, and after a savepoint of the host", async () => {
    const { workspace, ada, bob, organization, tickets, titles, inHost } = await open()
    await inHost(async (client) => {
      const tx = await workspace.joinTransaction(pgTransaction(client))
      await expect(
        tx.as(ada).spaces.create({ organization, input: { title: "No", parent: "none" } })
      ).rejects.toMatchObject({ _tag: "NotFound" })
      await expect(
        tx.as(bob).spaces.create({ organization, input: { title: "Denied" } })
      ).rejects.toMatchObject({ _tag: "NotFound" })
      await client.query("SAVEPOINT host")
      await tx.as(ada).spaces.create({ organization, input: { title: "Undone" } })
      await client.query("ROLLBACK TO SAVEPOINT host")
      await insertTicket(client, "one")
      await tx.as(ada).spaces.create({ organization, input: { title: "Yes" } })
    })
    expect([await tickets(), await titles()]).toEqual([["one"], ["Yes"]])
    const content = await contentOf(workspace, ada, organization)
    expect([content.events, content.audited]).toEqual([1, 1])
  })

  it("restores the time limits of the host, after commands that succeed and that fail", async () => {
    const { workspace, ada, organization, inHost } = await open()
    const settings = async (client: pg.PoolClient) => {
      const { rows } = await client.query<Record<string, string>>(
        `SELECT current_setting('statement_timeout') AS s, current_setting('lock_timeout') AS l,
          current_setting('idle_in_transaction_session_timeout') AS i`
      )
      return Object.values(rows[0]!)
    }
    await inHost(async (client) => {
      await client.query("SET LOCAL statement_timeout = '7s'; SET LOCAL lock_timeout = '123ms'")
      const before = await settings(client)
      const tx = await workspace.joinTransaction(pgTransaction(client))
      await tx.as(ada).spaces.create({ organization, input: { title: "Yes" } })
      expect(await settings(client)).toEqual(before)
      await tx
        .as(ada)
        .spaces.remove({ space: "none" })
        .catch(() => {})
      expect(await settings(client)).toEqual(before)
      await tx.as(ada).spaces.list({ organization })
      expect(await settings(client)).toEqual(before)
    })
  })

  it("is rejected before its first operation unless it is open, accepts writes and is READ COMMITTED", async () => {
    const { pool, workspace, ada, organization, inHost } = await open()
    const client = await pool.connect()
    const refused = { name: "HostTransactionError", reason: "NotJoinable" }
    await expect(workspace.joinTransaction(pgTransaction(client))).rejects.toMatchObject(refused)
    client.release()
    for (const begin of [
      "BEGIN ISOLATION LEVEL REPEATABLE READ",
      "BEGIN ISOLATION LEVEL SERIALIZABLE",
      "BEGIN READ ONLY"
    ]) {
      await inHost(async (client) => {
        await expect(workspace.joinTransaction(pgTransaction(client)), begin).rejects.toMatchObject(refused)
        // The rejection does not affect the transaction.
        await client.query("SELECT 1")
      }, begin)
    }
    await inHost(async (client) => {
      await client.query("SELECT 1 / 0").catch(() => {})
      await expect(workspace.joinTransaction(pgTransaction(client))).rejects.toMatchObject(refused)
    })
    await inHost(async (client) => {
      const tx = await workspace.joinTransaction(pgTransaction(client))
      await client.query("SELECT 1 / 0").catch(() => {})
      await expect(tx.as(ada).spaces.list({ organization })).rejects.toMatchObject(refused)
    })
    const memory = createWorkspace({ storage: MemoryStorage.layer() })
    onTestFinished(() => memory.dispose())
    await inHost((client) =>
      expect(memory.joinTransaction(pgTransaction(client))).rejects.toMatchObject({ reason: "NoConnection" })
    )
  })

  it("cannot be used after it has ended, nor in the next transaction of the client", async () => {
    const { pool, workspace, ada, organization, titles } = await open()
    const client = await pool.connect()
    await client.query("BEGIN")
    const tx = await workspace.joinTransaction(pgTransaction(client))
    const create = (title: string) => tx.as(ada).spaces.create({ organization, input: { title } })
    await create("One")
    await client.query("COMMIT")
    await expect(create("Outside")).rejects.toMatchObject({ reason: "Ended" })
    await client.query("BEGIN")
    await client.query("INSERT INTO tickets VALUES ('next')")
    await expect(create("Next")).rejects.toMatchObject({ reason: "Ended" })
    await client.query("COMMIT")
    await tx.committed()
    await expect(create("Late")).rejects.toBeInstanceOf(HostTransactionError)
    client.release()
    expect(await titles()).toEqual(["One"])
  })

  it("rejects commands that require a serializable transaction, and requests to other servers", async () => {
    const { workspace, ada, organization, titles, inHost } = await open()
    await inHost(async (client) => {
      const tx = await workspace.joinTransaction(pgTransaction(client))
      await expect(
        tx.administration.createOrganization({ administrator: ada, input: { title: "No" } })
      ).rejects.toMatchObject({ reason: "RequiresSerializable" })
      const { id } = await tx.as(ada).spaces.create({ organization, input: { title: "Yes" } })
      await expect(
        tx.as(ada).imports.import({
          content: { space: id },
          input: { source: "website", url: "https://example.com" }
        })
      ).rejects.toMatchObject({ reason: "RequiresOutbound" })
    })
    expect(await titles()).toEqual(["Yes"])
  })

  it("makes writers of the same resources wait until the host commits, and no others", async () => {
    const { workspace, ada, bob, organization, titles, inHost } = await open()
    const other = await workspace.administration.createOrganization({
      administrator: bob,
      input: { title: "Beta" }
    })
    const space = await workspace.as(ada).spaces.create({ organization, input: { title: "Before" } })
    const ended: Array<string> = []
    const waiting = await inHost(async (client) => {
      const tx = await workspace.joinTransaction(pgTransaction(client))
      await tx.as(ada).spaces.update({ space: space.id, input: { title: "Joined" } })
      const update = workspace
        .as(ada)
        .spaces.update({ space: space.id, input: { title: "Waits" } })
        .then(() => ended.push("waiting"))
      await workspace.as(bob).spaces.create({ organization: other, input: { title: "Concurrent" } })
      await new Promise((resolve) => setTimeout(resolve, 100))
      ended.push("host")
      return { update }
    })
    await waiting.update
    expect([ended, await titles()]).toEqual([["host", "waiting"], ["Waits"]])
  })

  it("returns a deadlock without a retry, and the transaction continues", async () => {
    const { workspace, ada, organization, titles, inHost } = await open()
    const other = await workspace.administration.createOrganization({
      administrator: ada,
      input: { title: "Beta" }
    })
    const first = await workspace.as(ada).spaces.create({ organization, input: { title: "First" } })
    const second = await workspace.as(ada).spaces.create({ organization: other, input: { title: "Second" } })
    const ready = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const renameBoth = (index: 0 | 1) =>
      inHost(async (client) => {
        const order = index === 0 ? [first, second] : [second, first]
        const tx = await workspace.joinTransaction(pgTransaction(client))
        await tx.as(ada).spaces.update({ space: order[0]!.id, input: { title: `${index} first` } })
        ready[index]!.resolve()
        await ready[1 - index]!.promise
        try {
          await tx.as(ada).spaces.update({ space: order[1]!.id, input: { title: `${index} second` } })
          return "both"
        } catch (error) {
          if (!isLecternError(error) || error._tag !== "StorageUnavailable") throw error
          expect(error.reason).toBe("Contention")
          return "one"
        }
      })
    const results = await Promise.all([renameBoth(0), renameBoth(1)])
    expect(results.toSorted()).toEqual(["both", "one"])
    // The loser commits its first rename before the winner overwrites it.
    const winner = results.indexOf("both")
    const inOther = (await workspace.as(ada).spaces.get({ space: second.id })).title
    expect([...(await titles()), inOther]).toEqual(
      winner === 0 ? ["0 first", "0 second"] : ["1 second", "1 first"]
    )
  })

  it("delivers events and starts jobs after the host has announced its commit, with one connection", async () => {
    const { workspace, ada, organization, inHost } = await open({ max: 2 })
    const delivered: Array<string> = []
    const unsubscribe = workspace.on("space.created", ({ data }) => void delivered.push(data.title))
    onTestFinished(unsubscribe)
    const tx = await inHost(async (client) => {
      const tx = await workspace.joinTransaction(pgTransaction(client))
      await tx.as(ada).spaces.create({ organization, input: { title: "Announced" } })
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(delivered).toEqual([])
      return tx
    })
    await tx.committed()
    await expect.poll(() => delivered, { timeout: 20_000 }).toEqual(["Announced"])
  })

  it("keeps deferred constraints of the host deferred", async () => {
    const { workspace, ada, organization, tickets, titles, inHost } = await open()
    const team = await workspace.as(ada).teams.create({ organization, input: { title: "Removed" } })
    await inHost(async (client) => {
      await insertTicket(client, "child", "parent")
      const tx = await workspace.joinTransaction(pgTransaction(client))
      await tx.as(ada).teams.remove({ organization, team: team.id })
      await tx.as(ada).spaces.create({ organization, input: { title: "Kept" } })
      await insertTicket(client, "parent")
    })
    expect([await tickets(), await titles()]).toEqual([["child", "parent"], ["Kept"]])
  })

  it("stores the rows of the host and of the workspace together, or neither, after every fault", async () => {
    const { workspace, ada, bob, organization, tickets, titles, inHost } = await open()
    let run = 0
    let created = 0
    const step = fc.constantFrom(
      "insert",
      "create",
      "forbidden and catch",
      "missing and catch",
      "undo",
      "concurrent"
    )
    const fault = fc.constantFrom("throw", "duplicate", "violate at commit", "kill", "rollback", undefined)
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 4 }),
        fault,
        fc.array(step, { maxLength: 2 }),
        async (before, harm, after) => {
          const number = ++run
          const expected = {
            tickets: [] as Array<string>,
            titles: [] as Array<string>,
            elsewhere: [] as Array<string>
          }
          const [settled] = await Promise.allSettled([
            inHost(async (client) => {
              const tx = await workspace.joinTransaction(pgTransaction(client))
              const create = (title: string) => tx.as(ada).spaces.create({ organization, input: { title } })
              for (const [index, action] of [...before, harm, ...after].entries()) {
                const name = `${number}.${index}`
                switch (action) {
                  case "insert":
                    await insertTicket(client, name)
                    expected.tickets.push(name)
                    break
                  case "create":
                    await create(name)
                    expected.titles.push(name)
                    break
                  case "forbidden and catch":
                    await expect(
                      tx.as(bob).spaces.create({ organization, input: { title: name } })
                    ).rejects.toThrow()
                    break
                  case "missing and catch":
                    await expect(tx.as(ada).spaces.remove({ space: "none" })).rejects.toThrow()
                    break
                  case "undo":
                    await client.query("SAVEPOINT host")
                    await create(`${name} undone`)
                    await client.query("ROLLBACK TO SAVEPOINT host; RELEASE SAVEPOINT host")
                    break
                  case "concurrent":
                    // Operations wait for each other.
                    await Promise.all([create(name), create(`${name} again`)])
                    expected.titles.push(name, `${name} again`)
                    break
                  case "throw":
                    throw new Error("The host has changed its mind.")
                  case "duplicate":
                    await insertTicket(client, `twice ${number}`)
                    await insertTicket(client, `twice ${number}`)
                    break
                  case "violate at commit":
                    await insertTicket(client, `orphan ${number}`, "none")
                    break
                  case "kill":
                    await client.query("SELECT pg_terminate_backend(pg_backend_pid())")
                    break
                  case "rollback":
                    await client.query("ROLLBACK; BEGIN")
                    break
                }
              }
            })
          ])
          const isCommitted = settled.status === "fulfilled"
          // Without another command, the host commits an empty transaction after its rollback.
          const isEmptied = harm === "rollback"
          if (!isEmptied) expect([isCommitted, harm, settled]).toEqual([harm === undefined, harm, settled])
          const ofRun = (text: string) => new RegExp(`\\b${number}(\\.|$)`).test(text)
          const hostRows = (await tickets()).filter(ofRun)
          const spaces = (await titles()).filter(ofRun)
          if (isEmptied) {
            expect(spaces).toEqual([])
            return
          }
          expect(hostRows).toEqual(isCommitted ? expected.tickets.toSorted() : [])
          expect(spaces).toEqual(isCommitted ? expected.titles.toSorted() : [])
          if (isCommitted) created += expected.titles.length
        }
      ),
      runs(60)
    )
    const content = await contentOf(workspace, ada, organization)
    expect([content.events, content.audited]).toEqual([created, created])
  })
})
