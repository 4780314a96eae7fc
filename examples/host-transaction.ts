/** Stores rows of the host and the space of a project in Lectern as one transaction, in PostgreSQL and in SQLite. */
import { DatabaseSync } from "node:sqlite"
import { createWorkspace, type EmbeddedWorkspace, isLecternError } from "@lectern/core"
import { pgClient, postgres } from "@lectern/storage-pg"
import { sqlite, sqliteDatabase } from "@lectern/storage-sqlite"
import pg from "pg"

/** An application with projects, each of which has a space. */
export interface Projects {
  readonly workspace: EmbeddedWorkspace
  /** Stores a project and its space; or neither, if the name is taken. */
  readonly create: (user: string, organization: string, name: string) => Promise<void>
  /** The names of the stored projects. */
  readonly names: () => Promise<ReadonlyArray<string>>
  readonly close: () => Promise<void>
}

const table = "CREATE TABLE projects (name TEXT PRIMARY KEY, space TEXT NOT NULL)"

/** Opens the application in PostgreSQL. Lectern has a schema of its own. */
export const openInPostgres = async (connectionString: string): Promise<Projects> => {
  const pool = new pg.Pool({ connectionString })
  await pool.query(table)
  const workspace = createWorkspace({ storage: postgres({ pool, schema: "lectern" }) })
  return {
    workspace,
    create: (user, organization, name) =>
      workspace.transaction({ organizations: [organization] }, async (tx) => {
        const { id } = await tx.as(user).spaces.create({ organization, input: { title: name } })
        await pgClient<pg.PoolClient>(tx).query("INSERT INTO projects VALUES ($1, $2)", [name, id])
      }),
    names: async () =>
      (await pool.query<{ name: string }>("SELECT name FROM projects ORDER BY 1")).rows.map(
        ({ name }) => name
      ),
    close: async () => {
      await workspace.dispose()
      await pool.end()
    }
  }
}

/** Opens the application in SQLite. The tables of Lectern have a prefix. */
export const openInSqlite = async (filename: string): Promise<Projects> => {
  const database = new DatabaseSync(filename)
  database.exec(table)
  const workspace = createWorkspace({ storage: sqlite({ database, prefix: "lectern_" }) })
  return {
    workspace,
    create: (user, organization, name) =>
      workspace.transaction({ organizations: [organization] }, async (tx) => {
        const { id } = await tx.as(user).spaces.create({ organization, input: { title: name } })
        sqliteDatabase(tx).prepare("INSERT INTO projects VALUES (?, ?)").run(name, id)
      }),
    names: async () =>
      database
        .prepare("SELECT name FROM projects ORDER BY 1")
        .all()
        .map(({ name }) => String(name)),
    close: async () => {
      await workspace.dispose()
      database.close()
    }
  }
}

/** Creates a project, and handles an error of one operation: the rest of the transaction is stored. */
export const createWithShelf = ({ workspace }: Projects, user: string, organization: string, shelf: string) =>
  workspace.transaction({ organizations: [organization] }, async (tx) => {
    const { collections, spaces } = tx.as(user)
    const space = await spaces.create({ organization, input: { title: "Notes" } })
    try {
      await spaces.move({ space: space.id, input: { parent: shelf } })
    } catch (error) {
      if (!isLecternError(error) || error._tag !== "NotFound") throw error
      const { id } = await collections.create({ organization, input: { title: "Shelf" } })
      await spaces.move({ space: space.id, input: { parent: id } })
    }
  })
