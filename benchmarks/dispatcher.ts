/**
 * Compares Lectern's dispatcher with `HttpApiBuilder`: the CPU time of a request, as a ratio. The builder would replace
 * the dispatcher if it took at most 1.2 times as long. Rate limits are off, because the builder does not limit requests. Run separately with `npm run bench:dispatcher`.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { cpuMicrosOf, lectern, node, percentile, sendRequests, stop, stopAll, until } from "./processes.ts"
import { fill, type Measured } from "./workspace.ts"

const rounds = 40
const requestsPerRound = 500
const warmUpRequests = 8000
const connections = 32

const cases = [
  { name: "get a space", path: ({ space }: Measured) => `/v1/spaces/${space}` },
  { name: "list 50 spaces", path: ({ organization }: Measured) => `/v1/orgs/${organization}/spaces` }
]

/** Prints, for each request, the CPU time with the builder as a ratio of that with the dispatcher. */
export const compareDispatchers = async (database: string, measured: Measured): Promise<void> => {
  const servers = {
    dispatcher: { port: 4501, process: lectern(`sqlite:${database}`, 4501, "off") },
    builder: {
      port: 4504,
      process: node(["benchmarks/builder.ts", "sqlite", database, "4504"])
    }
  }
  const names = Object.keys(servers) as ReadonlyArray<keyof typeof servers>
  const headers = { authorization: `Bearer ${measured.token}` }
  for (const { name, path } of cases) {
    const micros: Record<keyof typeof servers, Array<number>> = { dispatcher: [], builder: [] }
    for (const server of names) {
      const url = `http://127.0.0.1:${servers[server].port}${path(measured)}`
      await until(url, headers)
      await sendRequests(url, { token: measured.token, connections, amount: warmUpRequests })
    }
    // Alternately, so that other load on the machine affects both.
    for (let round = 0; round < rounds; round++) {
      for (const server of names) {
        const { port, process } = servers[server]
        const url = `http://127.0.0.1:${port}${path(measured)}`
        const before = cpuMicrosOf(process.pid!)
        await sendRequests(url, { token: measured.token, connections, amount: requestsPerRound })
        micros[server].push((cpuMicrosOf(process.pid!) - before) / requestsPerRound)
      }
    }
    // Other load on the machine also adds CPU time.
    const [dispatcher, builder] = [percentile(micros.dispatcher, 0.1), percentile(micros.builder, 0.1)]
    console.log(
      `HttpApiBuilder, ${name}: ${(builder / dispatcher).toFixed(2)} times the CPU time of the dispatcher (${builder.toFixed(0)} µs, ${dispatcher.toFixed(0)} µs)`
    )
  }
  for (const server of names) await stop(servers[server].process)
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))
  try {
    const file = join(folder, "dispatcher.db")
    await compareDispatchers(file, await fill(SqliteStorage.layer({ filename: file }), 1000))
  } finally {
    stopAll()
    rmSync(folder, { recursive: true, force: true })
  }
}
