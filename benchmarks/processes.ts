/** Starts, measures and stops the processes of benchmarks. */
import { type ChildProcess, spawn } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import autocannon from "autocannon"

const children = new Set<ChildProcess>()

/** Starts a Node process. */
export const node = (args: ReadonlyArray<string>): ChildProcess => {
  const child = spawn(process.execPath, [...args], {
    stdio: ["ignore", "ignore", "inherit"]
  })
  children.add(child)
  return child
}

/** Waits up to 20 s until a URL responds with success, and returns the elapsed milliseconds. */
export const until = async (url: string, headers: Record<string, string>): Promise<number> => {
  const started = performance.now()
  for (;;) {
    const response = await fetch(url, { headers }).catch(() => undefined)
    if (response?.ok === true) return performance.now() - started
    if (performance.now() - started > 20_000) throw new Error(`${url} did not respond within 20 s.`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Stops a process with SIGTERM, and waits for its exit. */
export const stop = async (child: ChildProcess): Promise<void> => {
  children.delete(child)
  const exited = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGTERM")
  await exited
}

/** Kills the processes that are still running. */
export const stopAll = (): void => {
  for (const child of children) child.kill("SIGKILL")
}

/** Rate limits that no benchmark reaches. Requests are still counted. */
const rateLimits = "token=999999999,address=999999999,organization=999999999"

/** Starts Lectern's server with the options of `npm start`, without its log of requests. */
export const lectern = (database: string, port: number, limits: string = rateLimits): ChildProcess =>
  node([
    "packages/lectern/dist/cli/main.js",
    "serve",
    "--database-url",
    database,
    "--port",
    String(port),
    "--rate-limits",
    limits,
    "--log-level",
    "warn"
  ])

/** Starts Lectern's server exactly as `npm start` does, with its log of requests. */
export const start = ([database, port]: readonly [database: string, port: number]): ChildProcess => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: { start: string } }
  const [, ...args] = scripts.start.split(" ")
  return node([...args, "--database-url", database, "--port", String(port), "--rate-limits", rateLimits])
}

/** Returns the CPU time of all threads of a process, in microseconds, from the scheduler of Linux. */
export const cpuMicrosOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce(
    (sum, thread) =>
      sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1000,
    0
  )

/** Sends requests on several connections, and returns their latencies in milliseconds. */
export const sendRequests = (
  url: string,
  { token, connections, amount }: { token: string; connections: number; amount: number }
): Promise<ReadonlyArray<number>> =>
  new Promise((resolve, reject) => {
    const latenciesMs: Array<number> = []
    const instance = autocannon(
      { url, connections, amount, headers: { authorization: `Bearer ${token}` } },
      (error, result) => {
        if (error) return reject(error)
        if (result.non2xx > 0 || result.errors > 0) {
          return reject(new Error(`${url}: ${result.non2xx} error statuses, ${result.errors} failures.`))
        }
        resolve(latenciesMs)
      }
    )
    instance.on("response", (_client, _status, _bytes, responseTimeMs) => latenciesMs.push(responseTimeMs))
  })

/** Measures the number of responses per second. */
const measureThroughput = async (url: string, token: string, seconds: number): Promise<number> => {
  const result = await autocannon({
    url,
    connections: 8,
    duration: seconds,
    headers: { authorization: `Bearer ${token}` }
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${url}: ${result.non2xx} responses with an error status, ${result.errors} failed requests.`
    )
  }
  return result.requests.total / result.duration
}

/**
 * Compares the throughput of Lectern for a path with that of a static server that sends the same bytes from memory.
 * Returns the ratio, and the size of the response in bytes. `file` is a path for the bytes.
 */
export const compareWithStaticServer = async (
  database: string,
  path: string,
  token: string,
  file: string,
  seconds: number
): Promise<{ readonly ratio: number; readonly size: number }> => {
  const headers = { authorization: `Bearer ${token}` }
  const [lecternUrl, staticUrl] = [`http://127.0.0.1:4501${path}`, "http://127.0.0.1:4502/"]
  const lecternServer = lectern(database, 4501)
  await until(lecternUrl, headers)
  const bytes = Buffer.from(await (await fetch(lecternUrl, { headers })).arrayBuffer())
  writeFileSync(file, bytes)
  const staticServer = node(["benchmarks/bytes.ts", file, "4502"])
  await until(staticUrl, {})
  const ratios: Array<number> = []
  for (let round = 0; round < 3; round++) {
    const lecternThroughput = await measureThroughput(lecternUrl, token, seconds)
    ratios.push(lecternThroughput / (await measureThroughput(staticUrl, token, seconds)))
  }
  await stop(staticServer)
  await stop(lecternServer)
  return { ratio: median(ratios), size: bytes.length }
}

/** Returns the median of numbers, and the larger of the two middle ones for an even count. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Returns the value below which a fraction of the values is. */
export const percentile = (values: ReadonlyArray<number>, fraction: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * fraction)]!
