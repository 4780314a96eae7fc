/** The drill: load a server, back it up under load, destroy its database, restore it, and verify it. */
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { runs } from "@lectern/harness"
import { createTestDatabase } from "@lectern/harness/postgres"
import * as fc from "fast-check"
import { describe, expect, inject, it } from "vitest"
import { call, runCommand, type ServerProcess, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import {
  type Client,
  createWriterOptions,
  expectAcknowledged,
  makeClient,
  responseTimeoutMillis
} from "./support/acknowledged.ts"
import { examineDatabase, storageAt } from "./support/doctorFindings.ts"
import { allowImportSource, startImportSource } from "./support/source.ts"
import { until } from "./support/until.ts"
import { makeDraw } from "./support/writes/writes.ts"
import { startServer } from "./support.ts"

const databases = [
  {
    name: "SQLite, into PostgreSQL",
    make: async () => `sqlite:${join(temporaryFolder(), "lectern.db")}`,
    makeTarget: () => createTestDatabase(inject("postgres"))
  },
  {
    name: "PostgreSQL, into SQLite",
    make: () => createTestDatabase(inject("postgres")),
    makeTarget: async () => `sqlite:${join(temporaryFolder(), "restored.db")}`
  }
]

/** The number of clients whose writes end before the backup, and of the clients that write during it. */
const clientCount = 3

/** The number of writes of a client before the backup. */
const writesBefore = 40

/** Writes until a condition holds, or the server has ended. Throws on a 5xx response. */
const writeWhile = async (client: Client, server: ServerProcess, isWriting: () => boolean) => {
  while (isWriting()) {
    const { write, status, text } = await client.write(server.url, responseTimeoutMillis)
    if (status === undefined) return
    if (status >= 500) throw new Error(`${write.method} ${write.path}: ${status} ${text}`)
  }
}

const run = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { code, output, errors } = await runCommand(args)
  expect([args.join(" "), code, code === 0 ? "" : errors]).toEqual([args.join(" "), 0, ""])
  return output
}

/** The clients are created with the clock of tests, months ago: without this flag, the server removes their events. */
const serverFlags = [...allowImportSource, "--event-retention-days", "3650"]

describe("a workspace is restored from a backup that was taken under load", () => {
  const { seed = 0 } = fc.readConfigureGlobal()
  for (const { name, make, makeTarget } of databases) {
    it(`from ${name}`, { timeout: 120_000 * runs(1).numRuns }, async () => {
      const database = await make()
      const folder = temporaryFolder()
      const source = await startImportSource()
      const server = await serve(database, serverFlags)
      const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
      const administrator = await call<{ id: string }>(server, "/v1/user")
      const workspace = await startServer(storageAt(database))
      // The server removes events of the past, whose retention has expired.
      workspace.core.advance(Date.now() - workspace.core.now())
      const createClients = (prefix: string) =>
        Promise.all(
          Array.from({ length: clientCount }, async (_, number) => {
            const name = `${prefix}-${number}`
            const organization = items[0]!.id
            const options = await createWriterOptions(workspace, administrator.id, name, organization)
            const draw = makeDraw(seed + number)
            return makeClient(organization, name, draw, { source, ...options })
          })
        )
      const before = await createClients("before")
      const during = await createClients("during")
      await workspace.close()

      // Load.
      await Promise.all(
        before.map((client) => writeWhile(client, server, () => client.acknowledged() < writesBefore))
      )
      // Back up, while other clients write.
      let isBackedUp = false
      const writing = during.map((client) => writeWhile(client, server, () => !isBackedUp))
      await until("clients write", () => during.every((client) => client.acknowledged() > 0))
      await run("backup", "--to", folder, "--database-url", database)
      isBackedUp = true
      await Promise.all(writing)
      await run("backup", "list", "--from", folder)

      // Destroy.
      await server.end("SIGKILL")
      if (database.startsWith("sqlite:")) {
        const path = database.slice("sqlite:".length)
        for (const file of readdirSync(join(path, ".."))) rmSync(join(path, "..", file))
      }

      // Restore, into a database of another kind.
      const target = await makeTarget()
      await run("restore", "--from", folder, "--database-url", target, "--dry-run")
      await run("restore", "--from", folder, "--database-url", target)

      // Verify.
      expect(await examineDatabase(target)).toEqual([])
      const restored = await serve(target, serverFlags)
      await expectAcknowledged(before, restored.url)
      await Promise.all(
        before.map((client) => writeWhile(client, restored, () => client.acknowledged() < writesBefore + 3))
      )
      await restored.end("SIGTERM")
      expect(await examineDatabase(target)).toEqual([])
    })
  }
})
