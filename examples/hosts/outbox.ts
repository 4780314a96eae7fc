/**
 * An outbox, for hosts whose tables are in another database, or whose client cannot share a connection, such as Prisma. The row of the
 * project and the request to Lectern are stored in one transaction of the host. `deliver` repeats a request until Lectern has
 * confirmed it: the key makes repetitions harmless.
 */
import type { DatabaseSync } from "node:sqlite"
import { type ClientOptions, createClient } from "@lectern/client"

/** The table of requests that Lectern has not confirmed. */
export const outboxTable =
  "CREATE TABLE outbox (id TEXT PRIMARY KEY, organization TEXT NOT NULL, title TEXT NOT NULL)"

/** Stores a project and the request to create its space: both, or neither. */
export const createProject = (database: DatabaseSync, organization: string, name: string): void => {
  database.exec("BEGIN IMMEDIATE")
  try {
    database.prepare("INSERT INTO projects (name) VALUES (?)").run(name)
    database.prepare("INSERT INTO outbox VALUES (?, ?, ?)").run(crypto.randomUUID(), organization, name)
    database.exec("COMMIT")
  } catch (error) {
    database.exec("ROLLBACK")
    throw error
  }
}

/** Sends the requests of the outbox in order. Call it after a commit, when the process starts, and every few seconds. */
export const deliver = async (
  database: DatabaseSync,
  options: ClientOptions & { readonly fetch?: typeof fetch }
): Promise<void> => {
  const client = createClient(options)
  const rows = database.prepare("SELECT id, organization, title FROM outbox ORDER BY rowid LIMIT 100").all()
  for (const { id, organization, title } of rows) {
    const space = await client.spaces.createSpace(
      { params: { organizationId: String(organization) }, payload: { title: String(title) } },
      { idempotencyKey: String(id) }
    )
    // A process that ends here repeats the request within 24 hours, and receives the same space.
    database.prepare("UPDATE projects SET space = ? WHERE name = ?").run(String(space.id), String(title))
    database.prepare("DELETE FROM outbox WHERE id = ?").run(String(id))
  }
}
