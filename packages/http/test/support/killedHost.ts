/**
 * A program of a host that stores rows of its own and spaces in transactions until it is killed: `node killedHost.ts <database>
 * <kind> <user> <organization> <round>`. It prints the name of each pair after it was acknowledged.
 */
import { DatabaseSync } from "node:sqlite"
import { createWorkspace } from "@lectern/core"
import { pgClient, pgTransaction, postgres } from "@lectern/storage-pg"
import { sqlite, sqliteDatabase } from "@lectern/storage-sqlite"
import pg from "pg"

const [, , database = "", kind = "", user = "", organization = "", round = ""] = process.argv

/** Stores one pair. */
const makeStore = (): ((name: string) => Promise<unknown>) => {
  if (kind === "sqlite") {
    const workspace = createWorkspace({
      storage: sqlite({ database: new DatabaseSync(database), prefix: "lectern_" })
    })
    return (name) =>
      workspace.transaction({ organizations: [organization] }, async (tx) => {
        sqliteDatabase(tx).prepare("INSERT INTO tickets VALUES (?)").run(name)
        await tx.as(user).spaces.create({ organization, input: { title: name } })
      })
  }
  const pool = new pg.Pool({ connectionString: database, max: 4 })
  const workspace = createWorkspace({ storage: postgres({ pool, schema: "lectern" }) })
  if (kind === "postgresql") {
    return (name) =>
      workspace.transaction({ organizations: [organization] }, async (tx) => {
        await tx.as(user).spaces.create({ organization, input: { title: name } })
        await pgClient<pg.PoolClient>(tx).query("INSERT INTO tickets VALUES ($1)", [name])
      })
  }
  return async (name) => {
    const client = await pool.connect()
    await client.query("BEGIN")
    await client.query("INSERT INTO tickets VALUES ($1)", [name])
    const tx = await workspace.joinTransaction(pgTransaction(client))
    await tx.as(user).spaces.create({ organization, input: { title: name } })
    await client.query("COMMIT")
    client.release()
    await tx.committed()
  }
}

const store = makeStore()
for (let index = 0; ; index++) {
  const name = `${round}.${index}`
  await store(name)
  process.stdout.write(`${name}\n`)
}
