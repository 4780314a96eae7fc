/** The server in a process of its own, started by the command. */
import { type ChildProcess, spawn } from "node:child_process"
import { onTestFinished } from "vitest"

/** The token of the first administrator of every server in tests. */
export const adminToken = "the-token-of-the-first-administrator"

/** A running server. */
export interface ServerProcess {
  readonly child: ChildProcess
  readonly url: string
  /** The output so far. */
  readonly printed: () => string
  /** Sends a signal; resolves with the exit code. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

/** The restrictions of a process. */
export interface ProcessLimits {
  /** The maximum size of a file in blocks of 512 bytes, which simulates a full disk. */
  readonly fileBlocks?: number
  /** Whether a process of root runs as a user without write permissions. */
  readonly isUnprivileged?: boolean
}

/** The id of a user that owns no files. */
const unprivilegedUserId = 65_534

/** Starts the command from its sources. */
export const spawnCommand = (
  args: ReadonlyArray<string>,
  env: Record<string, string> = {},
  { fileBlocks, isUnprivileged = false }: ProcessLimits = {}
): ChildProcess => {
  const command = new URL("../src/cli/main.ts", import.meta.url).pathname
  const commandLine = [process.execPath, "--conditions=@lectern/source", command, ...args]
  const [program, ...rest] =
    fileBlocks === undefined
      ? commandLine
      : ["sh", "-c", `ulimit -S -f ${fileBlocks}; exec "$@"`, "sh", ...commandLine]
  const child = spawn(program!, rest, {
    env: { PATH: process.env.PATH ?? "", ...env },
    ...(isUnprivileged && process.getuid?.() === 0
      ? { uid: unprivilegedUserId, gid: unprivilegedUserId }
      : {})
  })
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
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
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
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve))
  let printed = ""
  const url = await new Promise<string>((resolve, reject) => {
    const read = (text: Buffer) => {
      printed += text
      const found = /serves .* at (http:\S+)/.exec(printed)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout?.on("data", read)
    child.stderr?.on("data", read)
    exit.then(() => reject(new Error(`The server ended: ${printed}`)))
  })
  return {
    child,
    url,
    printed: () => printed,
    end: (signal) => {
      child.kill(signal)
      return exit
    }
  }
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
