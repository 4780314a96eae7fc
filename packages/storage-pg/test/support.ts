import { createTestDatabase } from "@lectern/harness/postgres"
import { Redacted } from "effect"
import pg from "pg"
import { expect, inject } from "vitest"
import { createHostTables, hostRows, hostTables } from "../../storage-sql/test/support/embedding.ts"

/** The address of a new and empty database. */
export const database = async (): Promise<Redacted.Redacted<string>> =>
  Redacted.make(await createTestDatabase(inject("postgres")))

/** Everything in the schema `public`, and the rows of the host's tables. */
const contentOf = async (pool: pg.Pool) => {
  const { rows: relations } = await pool.query<{ name: string }>(
    `SELECT relname AS "name" FROM pg_class WHERE relnamespace = 'public'::regnamespace
     UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`
  )
  const tables = await Promise.all(
    hostTables.map(async (name) => (await pool.query(`SELECT * FROM public."${name}" ORDER BY 1`)).rows)
  )
  return { relations: relations.map(({ name }) => name), tables }
}

/** A database of a host, with tables that have the names of Lectern's. */
export const hostDatabase = async (config: pg.PoolConfig = {}) => {
  const url = Redacted.value(await database())
  const pool = new pg.Pool({ connectionString: url, max: 10, ...config })
  for (const statement of createHostTables((name) => `public."${name}"`)) await pool.query(statement)
  const before = await contentOf(pool)
  return {
    url,
    pool,
    /** Fails unless the schema `public` has what the host created in it, and nothing else. */
    requireUntouched: async () => {
      const after = await contentOf(pool)
      expect(after).toEqual(before)
      for (const rows of after.tables) expect(rows).toEqual(hostRows)
    }
  }
}
