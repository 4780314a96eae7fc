/** The server as its users run it: a process of its own. */
import { type ChildProcess, spawn } from "node:child_process"
import { onTestFinished } from "vitest"

/** The token of the first administrator of every server in tests. */
export const adminToken = "the-token-of-the-first-administrator"

/** A server that runs. */
export interface ServerProcess {
  readonly child: ChildProcess
  readonly url: string
  /** All that it has printed. */
  readonly printed: () => string
  /** Ends it with a signal, and answers its exit code. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

/** What the system grants a process. */
export interface Granted {
  /** The most blocks, of 512 bytes, that a file may have: as where the disk is full. */
  readonly fileBlocks?: number
  /** Whether it runs as somebody who may write nothing, where it would be one who may write all. */
  readonly isNobody?: boolean
}

/** The number of a user who owns nothing. */
const nobody = 65_534

/** Runs the command from its sources. */
export const run = (
  args: ReadonlyArray<string>,
  env: Record<string, string> = {},
  { fileBlocks, isNobody = false }: Granted = {}
): ChildProcess => {
  const command = new URL("../src/cli/main.ts", import.meta.url).pathname
  const line = [process.execPath, "--conditions=@lectern/source", command, ...args]
  const [program, ...rest] =
    fileBlocks === undefined ? line : ["sh", "-c", `ulimit -S -f ${fileBlocks}; exec "$@"`, "sh", ...line]
  const child = spawn(program!, rest, {
    env: { PATH: process.env.PATH ?? "", ...env },
    ...(isNobody && process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {})
  })
  onTestFinished(() => {
    child.kill("SIGKILL")
  })
  return child
}

/** Runs the command to its end; answers what it printed and its exit code. */
export const finish = async (
  args: ReadonlyArray<string>,
  env: Record<string, string> = {},
  granted: Granted = {}
) => {
  const child = run(args, env, granted)
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

/** Starts a server on a free port, and waits until it says where it listens. */
export const serve = async (
  database: string,
  args: ReadonlyArray<string> = [],
  granted: Granted = {},
  env: Record<string, string> = {}
): Promise<ServerProcess> => {
  const child = run(
    ["serve", "--port", "0", ...args],
    {
      LECTERN_LOG_LEVEL: "warn",
      LECTERN_DATABASE_URL: database,
      LECTERN_ADMIN_TOKEN: adminToken,
      ...env
    },
    granted
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

/** Calls a server as its first administrator. */
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
