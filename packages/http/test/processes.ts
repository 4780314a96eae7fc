/** The server in a process of its own, started by the command. */
import type { ChildProcess } from "node:child_process"
import { onTestFinished } from "vitest"
import {
  adminToken,
  type ProcessLimits,
  type ServerProcess,
  spawnProcess,
  waitUntilServing
} from "./support/commandProcess.ts"

export { adminToken, type ProcessLimits, type ServerProcess } from "./support/commandProcess.ts"

/** Starts the command from its sources, and kills it after the test. */
export const spawnCommand = (...parameters: Parameters<typeof spawnProcess>): ChildProcess => {
  const child = spawnProcess(...parameters)
  onTestFinished(() => {
    child.kill("SIGKILL")
  })
  return child
}

/** Runs the command until it exits; returns its output and exit code. */
export const runCommand = async (
  args: ReadonlyArray<string>,
  env: Record<string, string> = {},
  limits: ProcessLimits = {}
) => {
  const child = spawnCommand(args, env, limits)
  let output = ""
  let errors = ""
  child.stdout?.on("data", (text) => {
    output += text
  })
  child.stderr?.on("data", (text) => {
    errors += text
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", resolve)
  })
  return { code, output, errors }
}

/** Starts a server on a free port, and waits until it reports its URL. */
export const serve = async (
  database: string,
  args: ReadonlyArray<string> = [],
  limits: ProcessLimits = {},
  env: Record<string, string> = {}
): Promise<ServerProcess> => {
  const child = spawnCommand(
    ["serve", "--port", "0", ...args],
    {
      LECTERN_LOG_LEVEL: "warn",
      LECTERN_DATABASE_URL: database,
      LECTERN_ADMIN_TOKEN: adminToken,
      ...env
    },
    limits
  )
  return waitUntilServing(child)
}

/** Calls a server as its first administrator; throws unless the response is successful. */
export const call = async <A>(
  server: { readonly url: string },
  path: string,
  init: RequestInit = {}
): Promise<A> => {
  const response = await fetch(server.url + path, {
    ...init,
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" }
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const text = await response.text()
  return (text === "" ? undefined : JSON.parse(text)) as A
}
