import { createTestDatabase } from "@lectern/harness/postgres"
import { Redacted } from "effect"
import pg from "pg"
import { expect, inject } from "vitest"
import { createHostTables, hostRows, hostTables } from "../../storage-sql/test/support/embedding.ts"

/** Creates an empty database and returns its connection string. */
export const createDatabase = async (): Promise<Redacted.Redacted<string>> =>
  Redacted.make(await createTestDatabase(inject("postgres")))

/** Returns the relations and functions in the schema `public`, and the rows of the host's tables. */
const readHostContent = async (pool: pg.Pool) => {
  const { rows: relations } = await pool.query<{ name: string }>(
    `SELECT relname AS "name" FROM pg_class WHERE relnamespace = 'public'::regnamespace
     UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`
  )
  const tables = await Promise.all(
    hostTables.map(async (name) => (await pool.query(`SELECT * FROM public."${name}" ORDER BY 1`)).rows)
  )
  return { relations: relations.map(({ name }) => name), tables }
}

/** Creates a database of a host, with tables that have the names of Lectern's tables. */
export const createHostDatabase = async (config: pg.PoolConfig = {}) => {
  const url = Redacted.value(await createDatabase())
  const pool = new pg.Pool({ connectionString: url, max: 10, ...config })
  for (const statement of createHostTables((name) => `public."${name}"`)) await pool.query(statement)
  const before = await readHostContent(pool)
  return {
    url,
    pool,
    /** Fails if the schema `public` or the rows of the host have changed. */
    requireUntouched: async () => {
      const after = await readHostContent(pool)
      expect(after).toEqual(before)
      for (const rows of after.tables) expect(rows).toEqual(hostRows)
    }
  }
}
