/**
 * Compares the CPU time per request of Lectern and Payload, on the same work in alternating rounds, on SQLite and on PostgreSQL:
 * of the server, and of the processes of PostgreSQL. Payload runs without Next, with a collection of pages that has drafts and versions.
 * Ratios below 1 are in favor of Lectern. The in-process calls are compared on SQLite.
 *
 * Run with `npm run bench:peers`. Payload is installed once in `lectern-peers` in the folder of temporary files, or in the folder that
 * `-- --folder` names. `-- --store SQLite` measures one store, and `-- --rounds 5` sets the number of rounds. Linux only.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { parseArgs } from "node:util"
import { createWorkspace } from "@lectern/core"
import { createTestDatabase, startPostgres } from "@lectern/harness/postgres"
import { postgres } from "@lectern/storage-pg"
import { sqlite } from "@lectern/storage-sqlite"
import pg from "pg"
import { textOf } from "./peers/texts.ts"
import { cpuMicrosOf, lectern, stop, stopAll, until } from "./processes.ts"

const { values: options } = parseArgs({
  options: {
    store: { type: "string" },
    rounds: { type: "string", default: "5" },
    folder: { type: "string", default: join(tmpdir(), "lectern-peers") }
  }
})

/** The version of Payload. */
const payloadVersion = "3.90.2"

const rounds = Number(options.rounds)
const [pageCount, callsPerRound, warmUpCalls] = [100, 60, 100]

/** A running system with pages. */
interface Peer {
  readonly name: string
  /** Sends one request, or the requests of one piece of work, for a page by its number. */
  readonly calls: Readonly<Record<Kind, (page: number) => Promise<void>>>
  /** Returns the CPU time of the server and of its database, in microseconds. */
  readonly cpuUs: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** The kinds of work, with the maximum ratio that is aimed at, and the number of concurrent clients. */
const kinds = {
  "get a page": { aim: 1, clients: 4 },
  update: { aim: 1, clients: 4 },
  "draft, change, publish": { aim: 1, clients: 4 },
  "eight writers of different pages": { aim: 0.8, clients: 8 },
  "nine reads to one write": { aim: 0.5, clients: 8 }
} as const
type Kind = keyof typeof kinds

const texts = Array.from({ length: pageCount }, (_, page) => textOf(page, 0))
let version = 0
const nextText = (page: number): string => textOf(page, ++version)

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, "close")
  return port
}

/** Sends JSON and returns the response. Fails for an error status. */
const makeSend =
  (origin: string, authorization: string) =>
  async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(origin + path, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
    return text === "" ? undefined : JSON.parse(text)
  }

/** The work of a peer, from its three basic pieces. */
const makeCalls = (
  get: (page: number) => Promise<unknown>,
  update: (page: number) => Promise<unknown>,
  publish: (page: number) => Promise<unknown>
): Peer["calls"] => {
  let request = 0
  const isolated = (work: (page: number) => Promise<unknown>) => async (page: number) =>
    void (await work(page))
  return {
    "get a page": isolated(get),
    update: isolated(update),
    "draft, change, publish": isolated(publish),
    "eight writers of different pages": isolated(update),
    "nine reads to one write": isolated((page) => (request++ % 10 === 9 ? update(page) : get(page)))
  }
}

/** Returns a function that reads the CPU time of the connections to a database; 0 without PostgreSQL. */
const databaseCpu = async (
  database: string
): Promise<{ read: () => Promise<number>; end: () => unknown }> => {
  if (!database.startsWith("postgres")) return { read: async () => 0, end: () => {} }
  const client = new pg.Client(database)
  await client.connect()
  return {
    read: async () => {
      const { rows } = await client.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
      )
      return rows.reduce((sum, { pid }) => sum + cpuMicrosOf(pid), 0)
    },
    end: () => client.end()
  }
}

const storageOf = (database: string) =>
  database.startsWith("postgres") ? postgres(database) : sqlite(database)

/** Creates the pages of Lectern, and returns what identifies them. */
const fillLectern = async (database: string) => {
  const workspace = createWorkspace({ storage: storageOf(database), logger: () => {} })
  const user = await workspace.administration.createUser({ input: { email: "bench@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: user,
    input: { title: "Measured" }
  })
  const { secret } = await workspace.tokens.create({ input: { user, label: "bench" } })
  const ada = workspace.as(user)
  const { id: space } = await ada.spaces.create({
    organization,
    input: { title: "Measured", editMode: "live" }
  })
  const pages: Array<string> = []
  for (const [page, markdown] of texts.entries()) {
    const change = { operation: "insert_page" as const, title: `Page ${page}`, document: { markdown } }
    const { changes } = await ada.content.edit({ content: { space }, input: { changes: [change] } })
    for (const made of changes) if (made.object === "created_page") pages.push(made.page.id)
  }
  return { workspace, ada, space, pages, secret }
}

const startLectern = async (database: string): Promise<Peer> => {
  const { workspace, space, pages, secret } = await fillLectern(database)
  await workspace.dispose()
  const port = await freePort()
  const server = lectern(database.startsWith("postgres") ? database : `sqlite:${database}`, port)
  await until(`http://127.0.0.1:${port}/v1/user`, { authorization: `Bearer ${secret}` })
  const send = makeSend(`http://127.0.0.1:${port}/v1/spaces/${space}`, `Bearer ${secret}`)
  const changeOf = (page: number) => ({
    changes: [{ operation: "update_page", page: pages[page], document: { markdown: nextText(page) } }]
  })
  const { read, end } = await databaseCpu(database)
  return {
    name: "Lectern",
    calls: makeCalls(
      (page) => send("GET", `/content/page/${pages[page]}?format=markdown`),
      (page) => send("POST", "/content", changeOf(page)),
      async (page) => {
        const { id } = (await send("POST", "/change-requests", { subject: "Change" })) as { id: string }
        await send("POST", `/change-requests/${id}/content`, changeOf(page))
        await send("POST", `/change-requests/${id}/merge`)
      }
    ),
    cpuUs: async () => cpuMicrosOf(server.pid!) + (await read()),
    stop: async () => {
      await end()
      await stop(server)
    }
  }
}

/** Installs Payload in the folder, if it does not exist. */
const installPayload = (): void => {
  mkdirSync(options.folder, { recursive: true })
  copyFileSync(join(import.meta.dirname, "peers/payload.mjs"), join(options.folder, "payload.mjs"))
  writeFileSync(join(options.folder, "texts.json"), JSON.stringify(texts))
  if (existsSync(join(options.folder, "node_modules/payload"))) return
  writeFileSync(join(options.folder, "package.json"), JSON.stringify({ private: true }))
  const packages = ["payload", "@payloadcms/db-postgres", "@payloadcms/db-sqlite"]
  console.log(`Installing Payload ${payloadVersion} in ${options.folder}`)
  execFileSync(
    "npm",
    ["install", "--no-audit", "--no-fund", ...packages.map((name) => `${name}@${payloadVersion}`)],
    { cwd: options.folder, stdio: "inherit" }
  )
}

/** A started process of Payload, and its lines of JSON. */
const spawnPayload = async (database: string) => {
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, ["payload.mjs", database, String(port)], {
    cwd: options.folder,
    stdio: ["pipe", "pipe", "inherit"]
  })
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const nextJson = async (): Promise<unknown> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error("The server of Payload has ended.")
      if (value.startsWith("{")) return JSON.parse(value)
    }
  }
  const { key, pages } = (await nextJson()) as { key: string; pages: ReadonlyArray<string | number> }
  return {
    child,
    port,
    key,
    pages,
    call: async (kind: string, calls: number): Promise<number> => {
      child.stdin!.write(`${JSON.stringify({ kind, calls })}\n`)
      return ((await nextJson()) as { cpuUs: number }).cpuUs
    },
    stop: async () => {
      const exited = once(child, "exit")
      child.kill("SIGKILL")
      await exited
    }
  }
}

const startPayload = async (database: string): Promise<Peer> => {
  const { child, port, key, pages, stop } = await spawnPayload(database)
  const send = makeSend(`http://127.0.0.1:${port}/api/pages/`, `users API-Key ${key}`)
  const { read, end } = await databaseCpu(database)
  return {
    name: "Payload",
    calls: makeCalls(
      (page) => send("GET", `${pages[page]}`),
      (page) => send("PATCH", `${pages[page]}`, { body: nextText(page) }),
      async (page) => {
        await send("PATCH", `${pages[page]}?draft=true`, { title: `Page ${page}` })
        await send("PATCH", `${pages[page]}?draft=true`, { body: nextText(page) })
        await send("PATCH", `${pages[page]}`, { _status: "published" })
      }
    ),
    cpuUs: async () => cpuMicrosOf(child.pid!) + (await read()),
    stop: async () => {
      await end()
      await stop()
    }
  }
}

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((one, other) => one - other)[values.length >> 1]!

/** Runs calls by concurrent clients, each for other pages. */
const runCalls = async (peer: Peer, kind: Kind, count: number): Promise<void> => {
  let next = 0
  const client = async () => {
    while (next < count) await peer.calls[kind](next++ % pageCount)
  }
  await Promise.all(Array.from({ length: kinds[kind].clients }, client))
}

/** Returns the CPU time per call, in microseconds. */
const measureRound = async (peer: Peer, kind: Kind): Promise<number> => {
  const before = await peer.cpuUs()
  await runCalls(peer, kind, callsPerRound)
  return ((await peer.cpuUs()) - before) / callsPerRound
}

const report = (
  title: string,
  own: ReadonlyArray<number>,
  other: ReadonlyArray<number>,
  aim: number
): void => {
  const ratio = median(own.map((value, round) => value / other[round]!))
  console.log(
    `${title}: ${ratio.toFixed(2)} of Payload (aim ${aim}); ${median(own).toFixed(0)} and ${median(other).toFixed(0)} µs`
  )
}

/** Compares the servers on a store. */
const compareServers = async (store: string, databases: readonly [string, string]): Promise<void> => {
  const [own, other] = [await startLectern(databases[0]), await startPayload(databases[1])]
  for (const kind of Object.keys(kinds) as Array<Kind>) {
    const results: [Array<number>, Array<number>] = [[], []]
    for (const peer of [own, other]) await runCalls(peer, kind, warmUpCalls)
    for (let round = 0; round < rounds; round++) {
      results[0].push(await measureRound(own, kind))
      results[1].push(await measureRound(other, kind))
    }
    report(`${store}, ${kind}`, results[0], results[1], kinds[kind].aim)
  }
  await own.stop()
  await other.stop()
}

/** Compares calls in a process, on SQLite. */
const compareInProcess = async (folder: string): Promise<void> => {
  const { workspace, ada, space, pages } = await fillLectern(join(folder, "in-process.db"))
  const payload = await spawnPayload(join(folder, "in-process-payload.db"))
  const edit = (page: number, target: { space: string; changeRequest?: string }) => {
    const change = {
      operation: "update_page" as const,
      page: pages[page]!,
      document: { markdown: nextText(page) }
    }
    return ada.content.edit({ content: target, input: { changes: [change] } })
  }
  const own: Readonly<Record<string, (page: number) => Promise<unknown>>> = {
    edit: (page) => edit(page, { space }),
    "create, edit and publish": async (page) => {
      const { id } = await ada.changeRequests.create({ space, input: { subject: "Change" } })
      await edit(page, { space, changeRequest: id })
      await ada.changeRequests.merge({ space, changeRequest: id })
    }
  }
  const measureOwn = async (call: (page: number) => Promise<unknown>, calls: number): Promise<number> => {
    const started = process.cpuUsage()
    for (let index = 0; index < calls; index++) await call(index % pageCount)
    const { user, system } = process.cpuUsage(started)
    return (user + system) / calls
  }
  for (const [kind, call] of Object.entries(own)) {
    const results: [Array<number>, Array<number>] = [[], []]
    await measureOwn(call, warmUpCalls)
    await payload.call(kind, warmUpCalls)
    for (let round = 0; round < rounds; round++) {
      results[0].push(await measureOwn(call, callsPerRound))
      results[1].push(await payload.call(kind, callsPerRound))
    }
    report(`In process, ${kind}`, results[0], results[1], 1)
  }
  await payload.stop()
  await workspace.dispose()
}

installPayload()
const folder = mkdtempSync(join(tmpdir(), "lectern-peers-data-"))
try {
  if (options.store !== "PostgreSQL") {
    await compareServers("SQLite", [join(folder, "lectern.db"), join(folder, "payload.db")])
    await compareInProcess(folder)
  }
  if (options.store !== "SQLite") {
    const server = await startPostgres([])
    const databases = [await createTestDatabase(server.url), await createTestDatabase(server.url)] as const
    await compareServers("PostgreSQL", databases)
    await server.stop()
  }
} finally {
  stopAll()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
