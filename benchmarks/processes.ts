/** The processes that are measured: started, waited for, stopped. */
import { type ChildProcess, spawn } from "node:child_process"

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

/** The middle of some numbers. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
