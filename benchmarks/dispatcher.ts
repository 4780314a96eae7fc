/**
 * Compares Lectern's dispatcher with `HttpApiBuilder`: the CPU time of a request, as a ratio. The builder would replace
 * the dispatcher if it took at most 1.2 times as long. Run separately with `npm run bench:dispatcher`.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqliteStorage } from "@lectern/storage-sqlite"
import autocannon from "autocannon"
import { lectern, median, node, stop, stopAll, until } from "./processes.ts"
import { fill, type Measured } from "./workspace.ts"

const rounds = 15
const requestsPerRound = 2000
const warmUpRequests = 3000
const connections = 32

/** The unit of CPU times in `/proc`, in microseconds: Linux has 100 clock ticks per second. */
const tickMicros = 10_000

/** Returns the CPU time of a process, in microseconds. */
const cpuOf = (pid: number): number => {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")
  const [user, system] = fields.split(" ").slice(11, 13).map(Number)
  return (user! + system!) * tickMicros
}

const sendRequests = async (url: string, token: string, amount: number): Promise<void> => {
  const result = await autocannon({ url, connections, amount, headers: { authorization: `Bearer ${token}` } })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${url}: ${result.non2xx} responses with an error status, ${result.errors} failed requests.`
    )
  }
}

const cases = [
  { name: "get a space", path: ({ space }: Measured) => `/v1/spaces/${space}` },
  { name: "list 50 spaces", path: ({ organization }: Measured) => `/v1/orgs/${organization}/spaces` }
]

/** Prints, for each request, the CPU time with the builder as a ratio of that with the dispatcher. */
export const compareDispatchers = async (database: string, measured: Measured): Promise<void> => {
  const servers = {
    dispatcher: { port: 4501, process: lectern(`sqlite:${database}`, 4501) },
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
      await sendRequests(url, measured.token, warmUpRequests)
    }
    // Alternately, so that other load on the machine affects both.
    for (let round = 0; round < rounds; round++) {
      for (const server of names) {
        const { port, process } = servers[server]
        const before = cpuOf(process.pid!)
        await sendRequests(`http://127.0.0.1:${port}${path(measured)}`, measured.token, requestsPerRound)
        micros[server].push((cpuOf(process.pid!) - before) / requestsPerRound)
      }
    }
    const ratio = median(micros.builder.map((builder, round) => builder / micros.dispatcher[round]!))
    const [dispatcher, builder] = [median(micros.dispatcher), median(micros.builder)].map(Math.round)
    console.log(
      `HttpApiBuilder, ${name}: ${ratio.toFixed(2)} times the CPU time of the dispatcher (${builder} µs, ${dispatcher} µs)`
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
