/** The contract of all operations, on the databases, and on a server as its users run it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BackgroundWork, Fetcher, ImportReader, type RecordsAdapter, SpecParser } from "@lectern/core"
import { nodeFetcher, workerParser, workerReader } from "@lectern/http"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { contract, type Host } from "@lectern/testkit/contract"
import { freshDatabase } from "@lectern/testkit/postgres"
import { Effect, Layer, Redacted } from "effect"
import { inject } from "vitest"
import { startServer } from "./support.ts"

/** What the server asks outside for: it may reach this machine, where the suite has its website. */
const outside = Layer.mergeAll(
  Layer.succeed(Fetcher, nodeFetcher({ allow: ["127.0.0.1"] })),
  Layer.succeed(ImportReader, workerReader()),
  Layer.succeed(SpecParser, workerParser())
)

/** A server of this process, over a store. */
const inProcess = async (
  storage: Layer.Layer<RecordsAdapter, unknown>,
  close: () => void = () => {}
): Promise<Host> => {
  const server = await startServer(Layer.provideMerge(storage, outside))
  const users = new Map<string, Promise<string>>()
  const userOf = (email: string) => {
    const user = users.get(email) ?? server.core.createUser(email)
    users.set(email, user)
    return user
  }
  return {
    url: server.url,
    token: async (email) => server.tokenOf(await userOf(email)),
    organization: async (title, admin) => server.core.createOrganization(title, await userOf(admin)),
    work: () => server.core.runtime.runPromise(Effect.flatMap(BackgroundWork, ({ drain }) => drain)),
    close: async () => {
      await server.close()
      close()
    }
  }
}

contract("SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-"))
  return inProcess(SqliteStorage.layer({ filename: join(folder, "lectern.db") }), () =>
    rmSync(folder, { recursive: true, force: true })
  )
})

contract("PostgreSQL", async () =>
  inProcess(PgStorage.layer({ url: Redacted.make(await freshDatabase(inject("postgres"))) }))
)
