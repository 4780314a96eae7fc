/** Query builders on the connection of a transaction: their rows and Lectern's are stored together, or neither. */
import type { EmbeddedWorkspace } from "@lectern/core"
import { pgClient, pgTransaction } from "@lectern/storage-pg"
import { drizzle } from "drizzle-orm/node-postgres"
import { pgTable, text } from "drizzle-orm/pg-core"
import { Kysely, PostgresDialect } from "kysely"
import type pg from "pg"

/** Where projects and their spaces are created. */
export interface ProjectHost {
  readonly workspace: EmbeddedWorkspace
  readonly user: string
  readonly organization: string
}

interface Database {
  readonly projects: { readonly name: string; readonly space: string }
}

/** Returns Kysely on one client. It must not release the client, and `destroy` must not end it. */
const kyselyOn = (client: pg.PoolClient) =>
  new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: {
        connect: async () => Object.assign(Object.create(client), { release: () => {} }),
        end: async () => {},
        options: {}
      }
    })
  })

/** Creates a project with Kysely, in a transaction that Lectern begins. */
export const createWithKysely = ({ workspace, user, organization }: ProjectHost, name: string) =>
  workspace.transaction({ organizations: [organization] }, async (tx) => {
    const { id } = await tx.as(user).spaces.create({ organization, input: { title: name } })
    await kyselyOn(pgClient<pg.PoolClient>(tx)).insertInto("projects").values({ name, space: id }).execute()
  })

const projects = pgTable("projects", { name: text().primaryKey(), space: text().notNull() })

/** Creates a project with Drizzle, in a transaction that Lectern begins. */
export const createWithDrizzle = ({ workspace, user, organization }: ProjectHost, name: string) =>
  workspace.transaction({ organizations: [organization] }, async (tx) => {
    const { id } = await tx.as(user).spaces.create({ organization, input: { title: name } })
    await drizzle({ client: pgClient<pg.PoolClient>(tx) })
      .insert(projects)
      .values({ name, space: id })
  })

/** Creates a project with `pg` or Drizzle on a client of the host, in a transaction that the host begins. */
export const createInOwnTransaction = async (
  { workspace, user, organization }: ProjectHost,
  pool: pg.Pool,
  name: string
) => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const tx = await workspace.joinTransaction(pgTransaction(client))
    const { id } = await tx.as(user).spaces.create({ organization, input: { title: name } })
    await drizzle({ client }).insert(projects).values({ name, space: id })
    await client.query("COMMIT")
    await tx.committed()
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
}
