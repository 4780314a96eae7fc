/** The contract suite, on every database, or in memory in `npm test`, and on a server process that is started by the command line. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BackgroundWork, Fetcher, type RecordsAdapter } from "@lectern/core"
import { isFastRun, runsMultiplier } from "@lectern/harness"
import { createTestDatabase } from "@lectern/harness/postgres"
import { nodeFetcher } from "@lectern/http"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { MemoryStorage } from "@lectern/testkit"
import {
  type ContractScenario,
  contractScenarios,
  endpoints,
  type Host,
  requiredEndpoints,
  runContract,
  serverContract
} from "@lectern/testkit/contract"
import { Effect, Layer, Redacted } from "effect"
import { expect, inject, it } from "vitest"
import { call, runCommand, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { editJson, startProxy } from "./support/proxy.ts"
import { startServer } from "./support.ts"

/** The fetcher of the server. It allows this machine, where the suite serves its website. */
const localFetcher = Layer.succeed(Fetcher, nodeFetcher({ allow: ["127.0.0.1"] }))

/** Starts a server in this process. */
const startInProcess = async (
  storage: Layer.Layer<RecordsAdapter, unknown>,
  close: () => void = () => {}
): Promise<Host> => {
  const server = await startServer(Layer.provideMerge(storage, localFetcher))
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

/** Sends one valid and one invalid value of each bound, because the runs on databases send all of them. */
const briefly: ContractScenario = {
  title: "Each bound is checked with two values",
  run: async ({ client }) => {
    client.isBrief = true
  }
}

if (isFastRun) {
  it("a server in memory conforms, and every operation, parameter, field and bound is covered", async () => {
    const host = await startInProcess(MemoryStorage.layer())
    const { problems, missing } = await runContract(host, [briefly, ...contractScenarios])
    expect({ problems, missing }).toEqual({ problems: [], missing: [] })
  }, 120_000)
} else {
  serverContract("SQLite", () => {
    const folder = mkdtempSync(join(tmpdir(), "lectern-"))
    return startInProcess(SqliteStorage.layer({ filename: join(folder, "lectern.db") }), () =>
      rmSync(folder, { recursive: true, force: true })
    )
  })

  serverContract("PostgreSQL", async () =>
    startInProcess(PgStorage.layer({ url: Redacted.make(await createTestDatabase(inject("postgres"))) }))
  )
}

/** Scenarios that set values which are unique on the server: host names, domains, and names of integrations. */
const uniqueValues = /^An organization is updated|^An integration is published|^A site is created/

it.skipIf(isFastRun)("a server that has the data of an earlier run conforms", async () => {
  const { close, ...host } = await startInProcess(MemoryStorage.layer())
  const scenarios = contractScenarios.filter(({ title }) => uniqueValues.test(title))
  expect(scenarios).toHaveLength(3)
  for (const run of ["first", "second"]) {
    const { problems } = await runContract(host, scenarios)
    expect({ run, problems }).toEqual({ run, problems: [] })
  }
  await close?.()
})

it.skipIf(isFastRun)("a server without the optional operations conforms", async () => {
  const host = await startInProcess(MemoryStorage.layer())
  const specified = new Set(
    [...endpoints, ...requiredEndpoints].map(({ operationId }) => operationId as string)
  )
  const proxy = await startProxy(host.url, {
    editResponse: (response, { path }) => {
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

/** Runs the command line and returns its output. */
const lectern = async (database: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { code, output, errors } = await runCommand(args, { LECTERN_DATABASE_URL: database })
  if (code !== 0) throw new Error(`lectern ${args.join(" ")}: ${errors}`)
  return output.trim()
}

/** Scenarios that use the worker threads, the background jobs and the fetcher of a server. */
const processScenarios = [
  "A space is edited, read and searched, and a website is imported into it",
  "An OpenAPI spec is processed, and processed again when its source changes"
]

it.skipIf(isFastRun)(
  "a server process conforms, with tokens and organizations from the command line",
  async () => {
    const database = `sqlite:${join(temporaryFolder(), "lectern.db")}`
    const server = await serve(database, ["--fetch-allow", "127.0.0.1", "--rate-limits", "off"])
    const first = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
    const host: Host = {
      url: server.url,
      createToken: async (email) => {
        // An invite creates the account.
        const body = JSON.stringify({ emails: [email] })
        await call(server, `/v1/orgs/${first.items[0]!.id}/invites`, { method: "POST", body })
        return lectern(database, "token", "create", email)
      },
      createOrganization: (title, admin) => lectern(database, "org", "create", title, "--admin", admin)
    }
    // The tests on databases run all scenarios; repeating them here is left to long runs.
    const scenarios =
      runsMultiplier > 1
        ? contractScenarios
        : contractScenarios.filter(({ title }) => processScenarios.includes(title))
    const { problems, counts } = await runContract(host, scenarios)
    expect(problems).toEqual([])
    expect(counts.operations).toBeGreaterThan(20)
    expect(await server.end("SIGTERM")).toBe(0)
  }
)
