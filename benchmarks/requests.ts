/**
 * Measures the CPU time of requests to the server as `npm start` runs it, and compares it with that of hand-written
 * baselines and of other requests in the same run. Every ratio is that of a budget to the measured time: higher is better.
 *
 * `npm run bench:requests` prints the ratios; with `--update` it writes them to `ratios.json`. `npm run bench -- --check` fails if
 * one is more than 15 % below the committed one. Latencies are printed and not compared: other load on the machine determines them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { cpuMicrosOf, lectern, median, node, sendRequests, start, stop, stopAll, until } from "./processes.ts"
import { fillContent } from "./requestWorkspace.ts"
import { fill } from "./workspace.ts"

const warmUpRequests = 2_000
const requestsPerRound = 1_000
const connections = 32
const rounds = Number(process.argv[process.argv.indexOf("--rounds") + 1] || 9) || 9

/** The committed ratios. */
const ratiosFile = new URL("ratios.json", import.meta.url)

/** The part of a committed ratio that a measured one must reach. */
const tolerance = 0.85

/** The servers, and the ports that they listen on. */
const ports = { lectern: 4501, bare: 4502, quiet: 4503, bytes: 4504 } as const
type Server = keyof typeof ports

interface Measurement {
  readonly name: string
  readonly server: Server
  readonly path: string
  /** The number of requests in a round, compared with the others. */
  readonly share?: number
  /** The number of requests before the first round. */
  readonly warmUp?: number
}

interface Cost {
  /** The CPU time of a request in microseconds, per round. */
  readonly micros: ReadonlyArray<number>
  /** The latencies of all rounds, in milliseconds. */
  readonly latenciesMs: ReadonlyArray<number>
}

const percentile = (values: ReadonlyArray<number>, fraction: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * fraction)]!

/** Measures the ratios of a database, and prints them with the times. */
const measureRatios = async (folder: string): Promise<Record<string, number>> => {
  const file = join(folder, "requests.db")
  const storage = SqliteStorage.layer({ filename: file })
  const measured = await fill(storage, 1_000)
  const content = await fillContent(storage, measured)
  const headers = { authorization: `Bearer ${measured.token}` }
  const pages = `/v1/spaces/${content.space}/content/pages`
  const page = `/v1/spaces/${content.space}/content/page/${content.pages[7]}`
  const get = `/v1/spaces/${measured.space}`
  const list = `/v1/orgs/${measured.organization}/spaces`

  const servers = {
    lectern: start([`sqlite:${file}`, ports.lectern]),
    quiet: lectern(`sqlite:${file}`, ports.quiet),
    bare: node(["benchmarks/baseline.ts", "bare", "sqlite", file, String(ports.bare)])
  }
  await until(`http://127.0.0.1:${ports.lectern}${get}`, headers)
  await until(`http://127.0.0.1:${ports.quiet}${get}`, headers)
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
    bare: servers.bare.pid!,
    bytes: node(["benchmarks/bytes.ts", bytesFile, String(ports.bytes)]).pid!
  }
  await until(`http://127.0.0.1:${ports.bytes}/`, {})

  const measurements: ReadonlyArray<Measurement> = [
    { name: "get", server: "lectern", path: get },
    { name: "bare get", server: "bare", path: get },
    // Measured more often first: the other server is warmed up by all other requests too.
    { name: "quiet get", server: "quiet", path: get, warmUp: 6 * warmUpRequests },
    { name: "list", server: "lectern", path: list },
    { name: "bare list", server: "bare", path: list },
    { name: "markdown", server: "lectern", path: `${page}?format=markdown` },
    { name: "document", server: "lectern", path: `${page}?format=document` },
    { name: "search", server: "lectern", path: `/v1/spaces/${content.space}/search?query=sentences` },
    { name: "pages", server: "lectern", path: pages, share: 0.1 },
    { name: "bytes", server: "bytes", path: "/", share: 0.1 }
  ]
  const costs = new Map<string, Cost>()
  const measure = async ({ server, path, share = 1 }: Measurement, requests: number): Promise<Cost> => {
    const amount = Math.max(connections, Math.round(requests * share))
    const before = cpuMicrosOf(processIds[server])
    const latenciesMs = await sendRequests(`http://127.0.0.1:${ports[server]}${path}`, {
      token: measured.token,
      connections,
      amount
    })
    return { micros: [(cpuMicrosOf(processIds[server]) - before) / amount], latenciesMs }
  }
  for (const measurement of measurements) await measure(measurement, measurement.warmUp ?? warmUpRequests)
  // Alternately, so that other load on the machine affects all.
  for (let round = 0; round < rounds; round++) {
    for (const measurement of measurements) {
      const { micros, latenciesMs } = await measure(measurement, requestsPerRound)
      const before = costs.get(measurement.name)
      costs.set(measurement.name, {
        micros: [...(before?.micros ?? []), ...micros],
        latenciesMs: [...(before?.latenciesMs ?? []), ...latenciesMs]
      })
    }
  }
  for (const [name, { micros, latenciesMs }] of costs) {
    const [p50, p99] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)]
    console.log(
      `${name}: ${median(micros).toFixed(0)} µs of CPU; median ${p50.toFixed(1)} ms, p99 ${(p99 / p50).toFixed(1)} times that`
    )
  }
  console.log(
    `first request of a page: ${cold.markdown.toFixed(0)} µs as Markdown, ${cold.document.toFixed(0)} µs as a document; list of pages: ${bytes.length} bytes`
  )
  const ratioOf = (budget: string, name: string): number => {
    const [budgets, times] = [costs.get(budget)!.micros, costs.get(name)!.micros]
    return Number(median(budgets.map((micros, round) => micros / times[round]!)).toFixed(3))
  }
  for (const server of Object.values(servers)) await stop(server)
  return {
    "get a space, of the bare server": ratioOf("bare get", "get"),
    "list 50 spaces, of the bare server": ratioOf("bare list", "list"),
    "get a space without the log of requests, of one with it": ratioOf("quiet get", "get"),
    "get a space, of a page as Markdown": ratioOf("get", "markdown"),
    "get a space, of a page as a document": ratioOf("get", "document"),
    "get a space, of a search": ratioOf("get", "search"),
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
