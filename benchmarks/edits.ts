/**
 * Measures the CPU time of the process and of the database, the statements and the bytes of the write-ahead log of an edit
 * of a page of 4 kB, of a change request with one edit that is merged, and of a comment, on SQLite and on PostgreSQL. Run with
 * `npm run bench:edits`, or with `-- --rounds 10`. Compare two versions in alternating runs: the process is warm after its first
 * round, which is not counted.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { createWorkspace } from "@lectern/core"
import { createTestDatabase, startPostgres } from "@lectern/harness/postgres"
import { postgres } from "@lectern/storage-pg"
import { sqlite } from "@lectern/storage-sqlite"
import pg from "pg"
import { textOf } from "./peers/texts.ts"

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    pages: { type: "string", default: "50" },
    store: { type: "string" }
  }
})
const rounds = Number(options.rounds)
const pageCount = Number(options.pages)

/** The number of calls per round. */
const callsPerRound = 40

/** The work of a database until now. */
interface Work {
  readonly cpuUs: number
  readonly logBytes: number
}

interface Store {
  readonly name: string
  readonly workspace: ReturnType<typeof createWorkspace>
  readonly work: () => Promise<Work>
  readonly stop: () => Promise<void>
}

const sqliteStore = async (): Promise<Store> => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-edits-"))
  const filename = join(folder, "lectern.db")
  const workspace = createWorkspace({ storage: sqlite(filename), logger: () => {} })
  return {
    name: "SQLite",
    workspace,
    // SQLite executes in the process, and overwrites its log.
    work: async () => ({ cpuUs: 0, logBytes: 0 }),
    stop: async () => {
      await workspace.dispose()
      rmSync(folder, { recursive: true })
    }
  }
}

/** Returns the CPU time of the processes of a session, in microseconds. Processes that ended are not counted. */
const cpuOf = (processIds: ReadonlyArray<number>): number =>
  processIds.reduce((sum, id) => {
    try {
      return sum + Number(readFileSync(`/proc/${id}/schedstat`, "utf8").split(" ")[0]) / 1_000
    } catch {
      return sum
    }
  }, 0)

const postgresStore = async (): Promise<Store> => {
  const server = await startPostgres()
  const url = await createTestDatabase(server.url)
  const workspace = createWorkspace({ storage: postgres(url), logger: () => {} })
  const client = new pg.Client(url)
  await client.connect()
  return {
    name: "PostgreSQL",
    workspace,
    work: async () => {
      const { rows } = await client.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
      )
      const { rows: log } = await client.query<{ bytes: string }>(
        "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes"
      )
      return { cpuUs: cpuOf(rows.map(({ pid }) => pid)), logBytes: Number(log[0]!.bytes) }
    },
    stop: async () => {
      await client.end()
      await workspace.dispose()
      await server.stop()
    }
  }
}

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1]!

const measure = async ({ name, workspace, work, stop }: Store): Promise<void> => {
  const user = await workspace.administration.createUser({ input: { email: "bench@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: user,
    input: { title: "Measured" }
  })
  const { spaces, content, changeRequests, comments } = workspace.as(user)
  const { id: space } = await spaces.create({ organization, input: { title: "Measured", editMode: "live" } })
  const pages: Array<string> = []
  for (let from = 0; from < pageCount; from += 50) {
    const { changes } = await content.edit({
      content: { space },
      input: {
        changes: Array.from({ length: Math.min(50, pageCount - from) }, (_, index) => ({
          operation: "insert_page" as const,
          title: `Page ${from + index}`,
          document: { markdown: textOf(from + index, 0) }
        }))
      }
    })
    for (const change of changes)
      if ("page" in change && typeof change.page === "object") pages.push(change.page.id)
  }
  let version = 0
  const changeOf = () => {
    const page = ++version % pages.length
    return {
      operation: "update_page" as const,
      page: pages[page]!,
      document: { markdown: textOf(page, version) }
    }
  }
  const edit = (target: { space: string; changeRequest?: string }) =>
    content.edit({ content: target, input: { changes: [changeOf()] } })
  const cases = {
    edit: () => edit({ space }),
    "create, edit and merge": async () => {
      const { id } = await changeRequests.create({ space, input: { subject: "Change" } })
      await edit({ space, changeRequest: id })
      await changeRequests.merge({ space, changeRequest: id })
    },
    comment: () => comments.create({ target: { space }, input: { body: { markdown: "A comment." } } })
  }
  const results = Object.entries(cases).map(([title, call]) => ({
    title,
    call: call as () => Promise<unknown>,
    process: [] as Array<number>,
    database: [] as Array<number>,
    bytes: [] as Array<number>
  }))
  for (let round = -1; round < rounds; round++) {
    for (const { call, ...found } of results) {
      const before = await work()
      const started = process.cpuUsage()
      for (let count = 0; count < callsPerRound; count++) await call()
      const { user: own, system } = process.cpuUsage(started)
      const after = await work()
      if (round < 0) continue
      found.process.push((own + system) / callsPerRound)
      found.database.push((after.cpuUs - before.cpuUs) / callsPerRound)
      found.bytes.push((after.logBytes - before.logBytes) / callsPerRound)
    }
  }
  for (const { title, process: own, database, bytes } of results) {
    console.log(
      `${name}, ${title}: ${median(own).toFixed(0)} µs in the process, ${median(database).toFixed(0)} µs in the database` +
        (name === "SQLite" ? "" : `, ${(median(bytes) / 1000).toFixed(1)} kB of log`)
    )
  }
  await stop()
}

if (options.store !== "postgres") await measure(await sqliteStore())
if (options.store !== "sqlite") await measure(await postgresStore())
