/** The processes that are measured: started, waited for, stopped. */
import { type ChildProcess, spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import autocannon from "autocannon"

const children = new Set<ChildProcess>()

/** Starts a program of the repository. */
export const node = (args: ReadonlyArray<string>): ChildProcess => {
  const child = spawn(process.execPath, [...args], {
    stdio: ["ignore", "ignore", "inherit"]
  })
  children.add(child)
  return child
}

/** Waits until an address answers, and tells after how many milliseconds it did. */
export const until = async (url: string, headers: Record<string, string>): Promise<number> => {
  const started = performance.now()
  for (;;) {
    const response = await fetch(url, { headers }).catch(() => undefined)
    if (response?.ok === true) return performance.now() - started
    if (performance.now() - started > 20_000) throw new Error(`${url} does not answer`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Stops a program as an operator does. */
export const stop = async (child: ChildProcess): Promise<void> => {
  children.delete(child)
  const gone = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGTERM")
  await gone
}

/** Ends whatever is left. */
export const stopAll = (): void => {
  for (const child of children) child.kill("SIGKILL")
}

/** The server as `npm start` runs it. */
export const lectern = (database: string, port: number): ChildProcess =>
  node([
    "--max-semi-space-size=4",
    "packages/http/dist/cli/main.js",
    "serve",
    "--database-url",
    database,
    "--port",
    String(port),
    "--log-level",
    "warn"
  ])

/** How many requests are answered in a second. */
const throughput = async (url: string, token: string, seconds: number): Promise<number> => {
  const result = await autocannon({
    url,
    connections: 8,
    duration: seconds,
    headers: { authorization: `Bearer ${token}` }
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} answers are errors`)
  return result.requests.total / result.duration
}

/**
 * How much of the throughput of a bare server, which sends the same bytes from memory, the server has for a path, and
 * how many bytes they are. The file is where the bytes are put.
 */
export const besideBare = async (
  database: string,
  path: string,
  token: string,
  file: string,
  seconds: number
): Promise<{ readonly ratio: number; readonly size: number }> => {
  const headers = { authorization: `Bearer ${token}` }
  const [ours, theirs] = [`http://127.0.0.1:4501${path}`, "http://127.0.0.1:4502/"]
  const server = lectern(database, 4501)
  await until(ours, headers)
  const bytes = Buffer.from(await (await fetch(ours, { headers })).arrayBuffer())
  writeFileSync(file, bytes)
  const bare = node(["benchmarks/bytes.ts", file, "4502"])
  await until(theirs, {})
  const found: Array<number> = []
  for (let round = 0; round < 3; round++) {
    const mine = await throughput(ours, token, seconds)
    found.push(mine / (await throughput(theirs, token, seconds)))
  }
  await stop(bare)
  await stop(server)
  return { ratio: median(found), size: bytes.length }
}

/** The middle of some numbers. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
