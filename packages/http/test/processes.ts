/** The server as its users run it: a process of its own. */
import { type ChildProcess, spawn } from "node:child_process"
import { onTestFinished } from "vitest"

/** The token of the first administrator of every server in tests. */
export const adminToken = "the-token-of-the-first-administrator"

/** A server that runs. */
export interface ServerProcess {
  readonly child: ChildProcess
  readonly url: string
  /** Ends it with a signal, and answers its exit code. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

/** Runs the command from its sources. */
export const run = (args: ReadonlyArray<string>, env: Record<string, string> = {}): ChildProcess => {
  const command = new URL("../src/cli/main.ts", import.meta.url).pathname
  const child = spawn(process.execPath, ["--conditions=@lectern/source", command, ...args], {
    env: { PATH: process.env.PATH ?? "", ...env }
  })
  onTestFinished(() => {
    child.kill("SIGKILL")
  })
  return child
}

/** Runs the command to its end; answers what it printed and its exit code. */
export const finish = async (args: ReadonlyArray<string>, env: Record<string, string> = {}) => {
  const child = run(args, env)
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
export const serve = async (database: string, args: ReadonlyArray<string> = []): Promise<ServerProcess> => {
  const child = run(["serve", "--port", "0", ...args], {
    LECTERN_LOG_LEVEL: "warn",
    LECTERN_DATABASE_URL: database,
    LECTERN_ADMIN_TOKEN: adminToken
  })
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve))
  const url = await new Promise<string>((resolve, reject) => {
    let printed = ""
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
