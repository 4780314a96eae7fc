/** The contract of all operations, on the databases, and on a server as its users run it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BackgroundWork, Fetcher, type RecordsAdapter } from "@lectern/core"
import { runsMultiplier } from "@lectern/harness"
import { createTestDatabase } from "@lectern/harness/postgres"
import { nodeFetcher } from "@lectern/http"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { MemoryStorage } from "@lectern/testkit"
import {
  contractScenarios,
  endpoints,
  type Host,
  requiredEndpoints,
  runContract,
  serverContract
} from "@lectern/testkit/contract"
import { Effect, Layer, Redacted } from "effect"
import { expect, inject, it } from "vitest"
import { call, finish, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { editJson, startProxy } from "./support/proxy.ts"
import { startServer } from "./support.ts"

/** The outbound requests of the server, which can reach the website of the suite on this machine. */
const outside = Layer.succeed(Fetcher, nodeFetcher({ allow: ["127.0.0.1"] }))

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
    createToken: async (email) => server.tokenOf(await userOf(email)),
    createOrganization: async (title, admin) => server.core.createOrganization(title, await userOf(admin)),
    runJobs: () => server.core.runtime.runPromise(Effect.flatMap(BackgroundWork, ({ drain }) => drain)),
    close: async () => {
      await server.close()
      close()
    }
  }
}

serverContract("SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-"))
  return inProcess(SqliteStorage.layer({ filename: join(folder, "lectern.db") }), () =>
    rmSync(folder, { recursive: true, force: true })
  )
})

serverContract("PostgreSQL", async () =>
  inProcess(PgStorage.layer({ url: Redacted.make(await createTestDatabase(inject("postgres"))) }))
)

it("a server without the operations beyond the specification conforms: they are neither required nor called", async () => {
  const host = await inProcess(MemoryStorage.layer())
  const specified = new Set(
    [...endpoints, ...requiredEndpoints].map(({ operationId }) => operationId as string)
  )
  const proxy = await startProxy(host.url, {
    give: (response, { path }) => {
      if (path !== "/openapi.json") return
      editJson(response, (document) => {
        const paths = document.paths as Record<string, Record<string, { readonly operationId: string }>>
        document.paths = Object.fromEntries(
          Object.entries(paths).map(([path, methods]) => [
            path,
            Object.fromEntries(Object.entries(methods).filter(([, one]) => specified.has(one.operationId)))
          ])
        )
      })
    }
  })
  const close = async () => {
    await proxy.close()
    await host.close?.()
  }
  const { problems, missing, counts } = await runContract({ ...host, url: proxy.url, close })
  expect({ problems, missing }).toEqual({ problems: [], missing: [] })
  expect(counts.operations).toBe(specified.size)
})

/** The output of the command. */
const lectern = async (database: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { code, output, errors } = await finish(args, { LECTERN_DATABASE_URL: database })
  if (code !== 0) throw new Error(`lectern ${args.join(" ")}: ${errors}`)
  return output.trim()
}

/** Scenarios that depend on the process of the server: worker threads, background jobs and outbound requests. */
const processScenarios = [
  "A space is written, read, searched, and takes in a website",
  "The description of an API is read, and read again when it changes"
]

it("a separate server process, with tokens and organizations from the CLI, conforms to the contract", async () => {
  const database = `sqlite:${join(temporaryFolder(), "lectern.db")}`
  const server = await serve(database, ["--fetch-allow", "127.0.0.1"])
  const first = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
  const host: Host = {
    url: server.url,
    createToken: async (email) => {
      // Invited users have accounts.
      const body = JSON.stringify({ emails: [email] })
      await call(server, `/v1/orgs/${first.items[0]!.id}/invites`, { method: "POST", body })
      return lectern(database, "token", "create", email)
    },
    createOrganization: (title, admin) => lectern(database, "org", "create", title, "--admin", admin)
  }
  // Long runs execute all scenarios. The tests above execute the others on both databases.
  const scenarios =
    runsMultiplier > 1
      ? contractScenarios
      : contractScenarios.filter(({ title }) => processScenarios.includes(title))
  const { problems, counts } = await runContract(host, scenarios)
  expect(problems).toEqual([])
  expect(counts.operations).toBeGreaterThan(20)
  expect(await server.end("SIGTERM")).toBe(0)
})
