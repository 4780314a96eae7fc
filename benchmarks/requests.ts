/**
 * Measures the CPU time of requests to the server as `npm start` runs it, and compares it with that of hand-written
 * baselines and of other requests in the same run. Every ratio is that of a budget to the measured time: higher is better.
 * The time of a request is the tenth percentile of many short rounds, because other load on the machine also adds CPU time.
 *
 * `npm run bench:requests` prints the ratios; with `--update` it writes them to `ratios.json`. `npm run bench -- --check` fails if
 * one is more than 15 % below the committed one. Latencies are printed and not compared: other load on the machine determines them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { SqliteStorage } from "@lectern/storage-sqlite"
import {
  cpuMicrosOf,
  lectern,
  node,
  percentile,
  sendRequests,
  start,
  stop,
  stopAll,
  until
} from "./processes.ts"
import { measureRateLimits } from "./rateLimits.ts"
import { fillContent } from "./requestWorkspace.ts"
import { fill } from "./workspace.ts"

const warmUpRequests = 2_000
const requestsPerRound = 400
const connections = 32
const rounds = Number(process.argv[process.argv.indexOf("--rounds") + 1] || 24) || 24

/** The requests whose latencies are measured: the first of each connection opens it, and is not among the slowest 1 %. */
const latencyRequests = 10_000

/** The requests of a round that each follow a commit. */
const commitsPerRound = 20

/** The committed ratios. */
const ratiosFile = new URL("ratios.json", import.meta.url)

/** The part of a committed ratio that a measured one must reach. */
const tolerance = 0.85

/** The servers, and the ports that they listen on. */
const ports = { lectern: 4501, bare: 4502, quiet: 4503, bytes: 4504, equal: 4505 } as const
type Server = keyof typeof ports

interface Measurement {
  readonly name: string
  readonly server: Server
  readonly path: string
  /** The number of requests in a round, compared with the others. */
  readonly share?: number
  /** The number of requests before the first round. */
  readonly warmUp?: number
  /** Whether each request follows a commit, so that no cached row is valid. Such requests are sent one after another. */
  readonly followsCommit?: boolean
}

/** Measures the ratios of a database, and prints them with the times. */
const measureRatios = async (folder: string): Promise<Record<string, number>> => {
  const file = join(folder, "requests.db")
  const storage = SqliteStorage.layer({ filename: file })
  const measured = await fill(storage, 1_000)
  const content = await fillContent(storage, measured)
  // By default, `fetch` accepts compressed responses, and autocannon does not.
  const headers = { authorization: `Bearer ${measured.token}`, "accept-encoding": "identity" }
  const pages = `/v1/spaces/${content.space}/content/pages`
  const page = `/v1/spaces/${content.space}/content/page/${content.pages[7]}`
  const get = `/v1/spaces/${measured.space}`
  const list = `/v1/orgs/${measured.organization}/spaces`

  const servers = {
    lectern: start([`sqlite:${file}`, ports.lectern]),
    quiet: lectern(`sqlite:${file}`, ports.quiet),
    // Compared with the server without a log: it receives the same requests.
    equal: start([`sqlite:${file}`, ports.equal]),
    bare: node(["benchmarks/baseline.ts", "bare", "sqlite", file, String(ports.bare)])
  }
  await until(`http://127.0.0.1:${ports.lectern}${get}`, headers)
  await until(`http://127.0.0.1:${ports.quiet}${get}`, headers)
  await until(`http://127.0.0.1:${ports.equal}${get}`, headers)
  await until(`http://127.0.0.1:${ports.bare}${get}`, headers)

  /** The CPU time of the first request of each page, in microseconds. */
  const measureCold = async (format: string): Promise<number> => {
    const before = cpuMicrosOf(servers.lectern.pid!)
    for (const id of content.pages) {
      const url = `http://127.0.0.1:${ports.lectern}/v1/spaces/${content.space}/content/page/${id}?format=${format}`
      await (await fetch(url, { headers })).arrayBuffer()
    }
    return (cpuMicrosOf(servers.lectern.pid!) - before) / content.pages.length
  }
  const cold = { markdown: await measureCold("markdown"), document: await measureCold("document") }

  const bytes = Buffer.from(
    await (await fetch(`http://127.0.0.1:${ports.lectern}${pages}`, { headers })).arrayBuffer()
  )
  const bytesFile = join(folder, "pages.json")
  writeFileSync(bytesFile, bytes)
  const processIds: Record<Server, number> = {
    lectern: servers.lectern.pid!,
    quiet: servers.quiet.pid!,
    equal: servers.equal.pid!,
    bare: servers.bare.pid!,
    bytes: node(["benchmarks/bytes.ts", bytesFile, String(ports.bytes)]).pid!
  }
  await until(`http://127.0.0.1:${ports.bytes}/`, {})

  const measurements: ReadonlyArray<Measurement> = [
    { name: "get", server: "lectern", path: get },
    { name: "bare get", server: "bare", path: get },
    { name: "get with log", server: "equal", path: get, warmUp: 4 * warmUpRequests },
    { name: "get without log", server: "quiet", path: get, warmUp: 4 * warmUpRequests },
    { name: "list", server: "lectern", path: list },
    { name: "bare list", server: "bare", path: list },
    { name: "get after a commit", server: "lectern", path: get, followsCommit: true },
    { name: "bare get after a commit", server: "bare", path: get, followsCommit: true },
    { name: "list after a commit", server: "lectern", path: list, followsCommit: true },
    { name: "bare list after a commit", server: "bare", path: list, followsCommit: true },
    { name: "markdown", server: "lectern", path: `${page}?format=markdown` },
    { name: "document", server: "lectern", path: `${page}?format=document` },
    {
      name: "search",
      server: "lectern",
      path: `/v1/spaces/${content.space}/search?query=sentences`,
      share: 0.1
    },
    { name: "pages", server: "lectern", path: pages, share: 0.1 },
    { name: "bytes", server: "bytes", path: "/", share: 0.1 }
  ]
  const database = new DatabaseSync(file, { timeout: 5_000 })
  database.exec(
    "PRAGMA synchronous = OFF; CREATE TABLE benchmark (commits INTEGER); INSERT INTO benchmark VALUES (0)"
  )
  const commit = database.prepare("UPDATE benchmark SET commits = commits + 1")
  const send = async ({ server, path, followsCommit, share = 1 }: Measurement, requests: number) => {
    const url = `http://127.0.0.1:${ports[server]}${path}`
    if (followsCommit !== true) {
      const amount = Math.max(connections, Math.round(requests * share))
      await sendRequests(url, { token: measured.token, connections, amount })
      return amount
    }
    for (let request = 0; request < commitsPerRound; request++) {
      commit.run()
      await (await fetch(url, { headers })).arrayBuffer()
    }
    return commitsPerRound
  }
  /** Returns the CPU time of a request, in microseconds. */
  const measure = async (measurement: Measurement): Promise<number> => {
    const before = cpuMicrosOf(processIds[measurement.server])
    const amount = await send(measurement, requestsPerRound)
    return (cpuMicrosOf(processIds[measurement.server]) - before) / amount
  }
  const costs = new Map<string, Array<number>>()
  for (const measurement of measurements) {
    await send(measurement, measurement.warmUp ?? warmUpRequests)
    costs.set(measurement.name, [])
  }
  // Alternately, so that other load on the machine affects all.
  for (let round = 0; round < rounds; round++) {
    for (const measurement of measurements) costs.get(measurement.name)!.push(await measure(measurement))
  }
  database.close()
  const microsOf = (name: string): number => percentile(costs.get(name)!, 0.1)
  for (const name of costs.keys()) console.log(`${microsOf(name).toFixed(0)} µs of CPU: ${name}`)
  console.log(
    `${cold.markdown.toFixed(0)} µs and ${cold.document.toFixed(0)} µs of CPU: first request of a page, as Markdown and as a document`
  )
  const limitMicros = measureRateLimits()
  console.log(`${limitMicros.toFixed(1)} µs of CPU: rate limits of a request`)
  for (const server of ["bare", "lectern"] as const) {
    const url = `http://127.0.0.1:${ports[server]}${get}`
    const latenciesMs = await sendRequests(url, {
      token: measured.token,
      connections,
      amount: latencyRequests
    })
    const [p50, p99] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)]
    console.log(
      `get a space, ${server}: median ${p50.toFixed(1)} ms, 99th percentile ${(p99 / p50).toFixed(1)} times the median`
    )
  }
  const ratioOf = (budget: string, name: string): number =>
    Number((microsOf(budget) / microsOf(name)).toFixed(3))
  for (const server of Object.values(servers)) await stop(server)
  return {
    "get a space, of the bare server": ratioOf("bare get", "get"),
    "list 50 spaces, of the bare server": ratioOf("bare list", "list"),
    "get a space after a commit, of the bare server": ratioOf(
      "bare get after a commit",
      "get after a commit"
    ),
    "list 50 spaces after a commit, of the bare server": ratioOf(
      "bare list after a commit",
      "list after a commit"
    ),
    "get a space without the log of requests, of one with it": ratioOf("get without log", "get with log"),
    "get a space without rate limits, of one with them": Number(
      (1 - limitMicros / microsOf("get")).toFixed(3)
    ),
    "get a space, of a page as Markdown": ratioOf("get", "markdown"),
    "get a space, of a page as a document": ratioOf("get", "document"),
    "send the same bytes, of the list of 8,000 pages": ratioOf("bytes", "pages")
  }
}

const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))
try {
  const ratios = await measureRatios(folder)
  const committed = JSON.parse(readFileSync(ratiosFile, "utf8")) as Record<string, number>
  for (const [name, ratio] of Object.entries(ratios)) {
    const before = committed[name]
    const isBelow = before !== undefined && ratio < before * tolerance
    console.log(
      `${ratio.toFixed(2)} ${name}${before === undefined ? "" : ` (committed: ${before.toFixed(2)})`}`
    )
    if (isBelow && process.argv.includes("--check")) {
      console.error(`The ratio fell by more than 15 %: ${name}.`)
      process.exitCode = 1
    }
  }
  if (process.argv.includes("--update")) writeFileSync(ratiosFile, `${JSON.stringify(ratios, null, 2)}\n`)
} finally {
  stopAll()
  rmSync(folder, { recursive: true, force: true })
}
