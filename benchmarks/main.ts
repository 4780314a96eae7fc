/**
 * Measures the server against baselines that are written by hand, in the same run on the same machine. Only the
 * ratios mean anything: absolute numbers depend on the machine. `npm run bench [-- --seconds 5]`.
 */
import type { ChildProcess } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createTestDatabase, startPostgres } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import autocannon from "autocannon"
import { Redacted } from "effect"
import { compareDispatchers } from "./dispatcher.ts"
import { measureObservation } from "./observation.ts"
import { lectern, median, node, stop, stopAll, until } from "./processes.ts"
import { fill, type Measured } from "./workspace.ts"

if (process.argv.includes("--check")) {
  await import("./requests.ts")
  process.exit()
}

const seconds = Number(process.argv[process.argv.indexOf("--seconds") + 1] || 4) || 4
const rounds = 3
const connections = 32
const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))

const baseline = (kind: "bare" | "fastify", dialect: "sqlite" | "postgres", database: string, port: number) =>
  node(["benchmarks/baseline.ts", kind, dialect, database, String(port)])

interface Case {
  readonly name: string
  readonly path: (measured: Measured) => string
  readonly method?: "PATCH"
}

const cases: ReadonlyArray<Case> = [
  { name: "get a space", path: ({ space }) => `/v1/spaces/${space}` },
  { name: "list 50 spaces", path: ({ organization }) => `/v1/orgs/${organization}/spaces` },
  { name: "patch a space", path: ({ space }) => `/v1/spaces/${space}`, method: "PATCH" }
]

const requestsPerSecond = async (
  port: number,
  measured: Measured,
  { path, method }: Case,
  duration: number
): Promise<number> => {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${path(measured)}`,
    connections,
    duration,
    headers: { authorization: `Bearer ${measured.token}`, "content-type": "application/json" },
    ...(method === undefined
      ? {}
      : {
          requests: measured.spaces.map((id) => ({
            method,
            path: `/v1/spaces/${id}`,
            body: JSON.stringify({ title: "Measured" })
          }))
        })
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path(measured)}: ${result.non2xx} responses are errors`)
  return result.requests.total / result.duration
}

const compare = async (
  title: string,
  servers: Record<string, () => ChildProcess>,
  portOf: Record<string, number>,
  measured: Measured
): Promise<void> => {
  const headers = { authorization: `Bearer ${measured.token}` }
  for (const one of cases) {
    const found: Record<string, Array<number>> = {}
    // Interleaved, so that other load on the machine affects all alike. Each has the machine for itself.
    for (let round = 0; round < rounds; round++) {
      for (const [name, start] of Object.entries(servers)) {
        const child = start()
        await until(`http://127.0.0.1:${portOf[name]}${cases[0]!.path(measured)}`, headers)
        await requestsPerSecond(portOf[name]!, measured, one, 2)
        found[name] = [...(found[name] ?? []), await requestsPerSecond(portOf[name]!, measured, one, seconds)]
        await stop(child)
      }
    }
    const ours = median(found.lectern!)
    const ratios = Object.keys(servers)
      .filter((name) => name !== "lectern")
      .map(
        (name) =>
          `${(ours / median(found[name]!)).toFixed(2)} of ${name} (${Math.round(median(found[name]!))}/s)`
      )
    console.log(`${title}, ${one.name}: ${Math.round(ours)}/s, ${ratios.join(", ")}`)
  }
}

/** The time of one page of a list, in milliseconds: the median of many. */
const pageTime = async (url: string, token: string): Promise<number> => {
  const times: Array<number> = []
  for (let i = 0; i < 60; i++) {
    const started = performance.now()
    await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).text()
    times.push(performance.now() - started)
  }
  return median(times)
}

const depth = async (title: string, database: string, measured: Measured): Promise<void> => {
  const child = lectern(database, 4501)
  const list = `http://127.0.0.1:4501/v1/orgs/${measured.organization}/spaces?limit=50`
  const headers = { authorization: `Bearer ${measured.token}` }
  await until(list, headers)
  let page = ""
  for (let i = 1; i < 1000; i++) {
    const { next } = (await (await fetch(`${list}${page}`, { headers })).json()) as { next: { page: string } }
    page = `&page=${encodeURIComponent(next.page)}`
  }
  const [first, deep] = [
    await pageTime(list, measured.token),
    await pageTime(`${list}${page}`, measured.token)
  ]
  console.log(
    `${title}, page 1,000 of 100,000 spaces: ${(deep / first).toFixed(2)} of page 1 (${first.toFixed(2)} ms)`
  )
  await stop(child)
}

const idle = async (database: string, measured: Measured): Promise<void> => {
  const started = performance.now()
  const child = lectern(database, 4501)
  await until("http://127.0.0.1:4501/readyz", {})
  const ready = performance.now() - started
  await fetch(`http://127.0.0.1:4501/v1/spaces/${measured.space}`, {
    headers: { authorization: `Bearer ${measured.token}` }
  })
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]
  console.log(
    `ready after ${Math.round(ready)} ms, ${Math.round(Number(resident) / 1024)} MiB resident when idle`
  )
  await stop(child)
}

const ports = { lectern: 4501, bare: 4502, fastify: 4503 }
const postgres = await startPostgres([])
try {
  const file = join(folder, "small.db")
  const small = await fill(SqliteStorage.layer({ filename: file }), 1000)
  await idle(`sqlite:${file}`, small)
  await measureObservation(SqliteStorage.layer({ filename: file }), small)
  await compareDispatchers(file, small)
  await compare(
    "SQLite",
    {
      lectern: () => lectern(`sqlite:${file}`, ports.lectern),
      bare: () => baseline("bare", "sqlite", file, ports.bare),
      fastify: () => baseline("fastify", "sqlite", file, ports.fastify)
    },
    ports,
    small
  )
  const url = await createTestDatabase(postgres.url)
  const inPostgres = await fill(PgStorage.layer({ url: Redacted.make(url) }), 1000)
  await compare(
    "PostgreSQL",
    { lectern: () => lectern(url, ports.lectern), bare: () => baseline("bare", "postgres", url, ports.bare) },
    ports,
    inPostgres
  )
  const large = join(folder, "large.db")
  await depth("SQLite", `sqlite:${large}`, await fill(SqliteStorage.layer({ filename: large }), 100_000))
  const largeUrl = await createTestDatabase(postgres.url)
  await depth("PostgreSQL", largeUrl, await fill(PgStorage.layer({ url: Redacted.make(largeUrl) }), 100_000))
} finally {
  stopAll()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
await import("./requests.ts")
