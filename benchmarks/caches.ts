/**
 * Measures the CPU time of warm requests whose rows are cached, with a write elsewhere before each, by another process: an edit of a
 * space of another organization, and an edit of another space of the same one. Prints the ratios to requests that each follow an
 * edit of a database that they do not read: the machine has the same work then, between the same pauses. Run with
 * `npm run bench:caches`, or with `-- --rounds 10`.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { createWorkspace, type RecordsAdapter } from "@lectern/core"
import { createTestDatabase, startPostgres } from "@lectern/harness/postgres"
import { toWebHandler } from "@lectern/http"
import { makeReader } from "@lectern/reader"
import { postgres } from "@lectern/storage-pg"
import { sqlite } from "@lectern/storage-sqlite"
import type { Layer } from "effect"
import pg from "pg"
import { median } from "./processes.ts"

const { values: options } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, writer: { type: "string" } }
})

/** The number of requests per round. */
const requestsPerRound = 100

const open = (database: string) => {
  const storage: Layer.Layer<RecordsAdapter, unknown> = database.startsWith("postgres:")
    ? postgres(database)
    : sqlite(database)
  return createWorkspace({ storage, publicUrl: "http://127.0.0.1:4502", logger: () => {} })
}

const body = (text: string) => `# ${text}\n\nA paragraph with **bold** text and \`code\`.\n`

interface Target {
  readonly database: string
  readonly user: string
  readonly space: string
  readonly page: string
}

/** The process of a writer: edits a page of a space for each message. */
const write = (): void => {
  const workspaces = new Map<string, ReturnType<typeof open>>()
  let version = 0
  process.on("message", async ({ database, user, space, page }: Target) => {
    const workspace = workspaces.get(database) ?? open(database)
    workspaces.set(database, workspace)
    await workspace.as(user).content.edit({
      content: { space },
      input: {
        changes: [{ operation: "update_page", page, document: { markdown: body(`Version ${++version}`) } }]
      }
    })
    process.send!("written")
  })
  process.send!("ready")
}

/** Creates an organization in a database. */
const prepare = async (database: string) => {
  const workspace = open(database)
  const user = await workspace.administration.createUser({ input: { email: "bench@example.com" } })
  const { secret } = await workspace.tokens.create({ input: { user, label: "Bench" } })
  const as = workspace.as(user)
  const createOrganization = (title: string) =>
    workspace.administration.createOrganization({ administrator: user, input: { title } })
  const createTarget = async (organization: string): Promise<Target> => {
    const { id: space } = await as.spaces.create({ organization, input: { title: "Guide" } })
    await as.content.edit({
      content: { space },
      input: {
        changes: Array.from({ length: 20 }, (_, index) => ({
          operation: "insert_page" as const,
          title: `Page ${index}`,
          document: { markdown: body(`Page ${index}`) }
        }))
      }
    })
    const { pages } = await as.content.listPages({ content: { space } })
    return { database, user, space, page: pages[0]!.id }
  }
  return { workspace, as, token: secret, createOrganization, createTarget }
}

/** Returns the CPU time of a process, in microseconds. */
const cpuOf = (id: number): number => {
  try {
    return Number(readFileSync(`/proc/${id}/schedstat`, "utf8").split(" ")[0]) / 1_000
  } catch {
    return 0
  }
}

const measure = async (
  name: string,
  database: string,
  otherDatabase: string,
  databaseProcesses: () => Promise<ReadonlyArray<number>>
): Promise<void> => {
  const other = await prepare(otherDatabase)
  const nowhere = await other.createTarget(await other.createOrganization("Other"))
  await other.workspace.dispose()
  const { workspace, as, token, createOrganization, createTarget } = await prepare(database)
  const organization = await createOrganization("Measured")
  const shown = await createTarget(organization)
  const cases = [
    ["in another database", nowhere],
    ["in another organization", await createTarget(await createOrganization("Elsewhere"))],
    ["in another space", await createTarget(organization)]
  ] as const
  const site = await as.sites.create({ organization, input: { title: "Guide", spaces: [shown.space] } })
  const { urls } = await as.sites.publish({ organization, site: site.id })

  const writer = fork(fileURLToPath(import.meta.url), ["--writer", "true"], { execArgv: process.execArgv })
  await once(writer, "message")
  const handler = toWebHandler(workspace, { reader: makeReader })
  const requests: ReadonlyArray<readonly [string, () => Request]> = [
    ["page of a site", () => new Request(`${urls.published!}page-7`)],
    [
      "space",
      () =>
        new Request(`http://127.0.0.1:4502/v1/spaces/${shown.space}`, {
          headers: { authorization: `Bearer ${token}` }
        })
    ],
    [
      "list of spaces",
      () =>
        new Request(`http://127.0.0.1:4502/v1/orgs/${organization}/spaces`, {
          headers: { authorization: `Bearer ${token}` }
        })
    ]
  ]
  for (const [title, request] of requests) {
    const times = cases.map((): Array<number> => [])
    for (let round = 0; round <= Number(options.rounds); round++) {
      for (const [index, [, target]] of cases.entries()) {
        let cpu = 0
        for (let count = 0; count < requestsPerRound; count++) {
          writer.send(target)
          await once(writer, "message")
          const processes = await databaseProcesses()
          const work = () => processes.reduce((sum, id) => sum + cpuOf(id), 0)
          const started = process.cpuUsage()
          const before = work()
          const response = await handler(request())
          await response.text()
          const { user, system } = process.cpuUsage(started)
          cpu += user + system + work() - before
          if (response.status !== 200) throw new Error(`${title} responds with ${response.status}.`)
        }
        // The first round warms the caches and the compiler.
        if (round > 0) times[index]!.push(cpu / requestsPerRound)
      }
    }
    const [unrelated, ...others] = times.map(median)
    console.log(
      `${name}, ${title}: ${unrelated!.toFixed(0)} µs of CPU time after a write in another database`
    )
    for (const [index, time] of others.entries()) {
      const [place] = cases[index + 1]!
      console.log(`  ${place}: ${time.toFixed(0)} µs, ratio ${(time / unrelated!).toFixed(2)}`)
    }
  }
  writer.kill()
  await workspace.dispose()
}

if (options.writer !== undefined) {
  write()
} else {
  const folder = mkdtempSync(join(tmpdir(), "lectern-caches-"))
  const server = await startPostgres()
  try {
    await measure("SQLite", join(folder, "lectern.db"), join(folder, "other.db"), async () => [])
    const url = await createTestDatabase(server.url)
    const client = new pg.Client(url)
    await client.connect()
    await measure("PostgreSQL", url, await createTestDatabase(server.url), async () => {
      const { rows } = await client.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
      )
      return rows.map(({ pid }) => pid)
    })
    await client.end()
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
