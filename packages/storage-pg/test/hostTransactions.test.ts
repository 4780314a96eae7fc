/** Transactions over the rows of a host and of a workspace in PostgreSQL, on a pool of the host. */
import { createWorkspace } from "@lectern/core"
import { pgClient, postgres } from "@lectern/storage-pg"
import { Redacted } from "effect"
import pg from "pg"
import { describe, expect, it, onTestFinished } from "vitest"
import { type HostDatabase, testHostTransactions } from "../../storage-sql/test/support/hostTransactions.ts"
import { createDatabase } from "./support.ts"

const openPool = async () => {
  const pool = new pg.Pool({ connectionString: Redacted.value(await createDatabase()), max: 6 })
  // The pool reports the loss of an idle connection.
  pool.on("error", () => {})
  await pool.query(
    `CREATE TABLE tickets (id TEXT PRIMARY KEY, parent TEXT REFERENCES tickets (id) DEFERRABLE INITIALLY DEFERRED)`
  )
  return pool
}

const openHost = async (): Promise<HostDatabase & { readonly pool: pg.Pool }> => {
  const pool = await openPool()
  return {
    pool,
    storage: postgres({ pool, schema: "lectern" }),
    insert: async (tx, id, parent) => {
      await pgClient<pg.PoolClient>(tx).query("INSERT INTO tickets VALUES ($1, $2)", [id, parent ?? null])
    },
    execute: async (tx, text) => void (await pgClient<pg.PoolClient>(tx).query(text)),
    tickets: async () =>
      (await pool.query<{ id: string }>("SELECT id FROM tickets")).rows.map(({ id }) => id),
    kill: async (tx) => {
      await pgClient<pg.PoolClient>(tx).query("SELECT pg_terminate_backend(pg_backend_pid())")
    },
    close: () => pool.end()
  }
}

testHostTransactions("PostgreSQL", openHost)

describe("a transaction of a host in PostgreSQL", () => {
  const openTwo = async () => {
    const host = await openHost()
    const workspace = createWorkspace({ storage: host.storage })
    onTestFinished(async () => {
      await workspace.dispose()
      await host.close()
    })
    const ada = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
    const bob = await workspace.administration.createUser({ input: { email: "bob@example.com" } })
    const create = (administrator: string, title: string) =>
      workspace.administration.createOrganization({ administrator, input: { title } })
    return {
      host,
      workspace,
      ada,
      bob,
      organization: await create(ada, "Acme"),
      other: await create(bob, "Beta")
    }
  }

  it("makes writers of its organizations wait, and no others", async () => {
    const { host, workspace, ada, bob, organization, other } = await openTwo()
    const inOther = await workspace.as(bob).spaces.create({ organization: other, input: { title: "Before" } })
    const ended: Array<string> = []
    let same: Promise<unknown> | undefined
    await workspace.transaction({ organizations: [organization] }, async (tx) => {
      await host.insert(tx, "one")
      await tx.as(ada).spaces.create({ organization, input: { title: "Inside" } })
      same = workspace
        .as(ada)
        .spaces.create({ organization, input: { title: "Waits" } })
        .then(() => ended.push("same"))
      // Each of these ends while the transaction is open.
      await workspace.as(bob).spaces.create({ organization: other, input: { title: "Concurrent" } })
      await workspace.as(bob).spaces.update({ space: inOther.id, input: { title: "Renamed" } })
      await workspace.as(bob).organizations.update({ organization: other, input: { title: "Beta 2" } })
      await workspace.transaction({ organizations: [other] }, async (second) => {
        await host.insert(second, "two")
        await second.as(bob).spaces.create({ organization: other, input: { title: "Second" } })
      })
      expect(ended).toEqual([])
      ended.push("transaction")
    })
    await same
    expect(ended).toEqual(["transaction", "same"])
    expect((await host.tickets()).toSorted()).toEqual(["one", "two"])
  })

  it("retries a deadlock of statements of the host, so that both transactions are stored once", async () => {
    const { host, workspace, ada, bob, organization, other } = await openTwo()
    await host.pool.query("INSERT INTO tickets VALUES ('a'), ('b')")
    let attempts = 0
    const lockBoth = async (user: string, organizationId: string, first: string, second: string) =>
      workspace.transaction({ organizations: [organizationId] }, async (tx) => {
        attempts += 1
        const client = pgClient<pg.PoolClient>(tx)
        await tx.as(user).spaces.create({ organization: organizationId, input: { title: "Once" } })
        await client.query("SELECT FROM tickets WHERE id = $1 FOR UPDATE", [first])
        await new Promise((resolve) => setTimeout(resolve, attempts <= 2 ? 300 : 0))
        await client.query("SELECT FROM tickets WHERE id = $1 FOR UPDATE", [second])
      })
    await Promise.all([lockBoth(ada, organization, "a", "b"), lockBoth(bob, other, "b", "a")])
    expect(attempts).toBeGreaterThanOrEqual(3)
    expect((await workspace.as(ada).spaces.list({ organization })).items).toHaveLength(1)
    expect((await workspace.as(bob).spaces.list({ organization: other })).items).toHaveLength(1)
  })

  it("retries serialization failures of rows of the host in serializable transactions", async () => {
    const { workspace, host } = await openTwo()
    let attempts = 0
    // Each inserts its number of rows as the id: only serial execution yields three different ones.
    await Promise.all(
      [0, 1, 2].map((index) =>
        workspace.transaction({ organizations: [], isolation: "serializable" }, async (tx) => {
          attempts += 1
          const client = pgClient<pg.PoolClient>(tx)
          const { rows } = await client.query<{ count: number }>("SELECT count(*)::int AS count FROM tickets")
          await new Promise((resolve) => setTimeout(resolve, attempts <= 3 ? 200 : 0))
          await client.query("INSERT INTO tickets VALUES ($1)", [`${index}: ${rows[0]!.count}`])
        })
      )
    )
    const counts = (await host.tickets()).map((id) => id.slice(3)).toSorted()
    expect(counts).toEqual(["0", "1", "2"])
    expect(attempts).toBeGreaterThan(3)
  })

  it("retries a deadlock between a lock that a command acquires later and one of another command", async () => {
    const { host, workspace, ada, organization } = await openTwo()
    await Promise.all(
      [0, 1, 2, 3].flatMap((index) => [
        workspace.transaction({ organizations: [organization] }, async (tx) => {
          await tx.as(ada).spaces.create({ organization, input: { title: `${index}` } })
          await tx.administration.createUser({ input: { email: `in-${index}@example.com` } })
          await host.insert(tx, `${index}`)
        }),
        workspace.as(ada).invites.inviteByEmail({
          organization,
          input: { emails: [`invited-${index}@example.com`] }
        }),
        workspace.administration.createUser({ input: { email: `out-${index}@example.com` } })
      ])
    )
    expect(await host.tickets()).toHaveLength(4)
    expect((await workspace.as(ada).spaces.list({ organization })).items).toHaveLength(4)
  })

  it("returns the connection to the pool without a transaction, and rejects its use by a host without a pool", async () => {
    const { host, workspace, organization } = await openTwo()
    for (let run = 0; run < 10; run++) {
      await workspace
        .transaction({ organizations: [organization] }, async () => {
          throw new Error("Rolled back")
        })
        .catch(() => {})
    }
    const { rows } = await host.pool.query(
      "SELECT state FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
    )
    expect(rows).toEqual([])
    const alone = createWorkspace({ storage: postgres(await createDatabase()) })
    onTestFinished(() => alone.dispose())
    await expect(
      alone.transaction({ organizations: [organization] }, async (tx) => pgClient(tx))
    ).rejects.toMatchObject({ reason: "NoConnection" })
  })

  it("frees the organization when a statement of the host hangs", async () => {
    const { host, workspace, ada, organization } = await openTwo()
    const blocker = await host.pool.connect()
    await blocker.query("BEGIN; INSERT INTO tickets VALUES ('held')")
    await expect(
      workspace.transaction({ organizations: [organization], timeoutMs: 300 }, async (tx) => {
        await tx.as(ada).spaces.create({ organization, input: { title: "Hangs" } })
        await host.insert(tx, "held")
      })
    ).rejects.toMatchObject({ reason: "TimedOut" })
    await blocker.query("ROLLBACK")
    blocker.release()
    await workspace.as(ada).spaces.create({ organization, input: { title: "After" } })
    expect(await host.tickets()).toEqual([])
    const { items } = await workspace.as(ada).spaces.list({ organization })
    expect(items.map(({ title }) => title)).toEqual(["After"])
  })
})
