/** Processes of the command, also for programs that are not tests. */
import { type ChildProcess, spawn } from "node:child_process"
import { programFile } from "./programFile.ts"

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

const command = programFile(new URL("../../src/cli/main.ts", import.meta.url))

/** Starts the command from its sources. The caller ends the process. */
export const spawnProcess = (
  args: ReadonlyArray<string>,
  env: Record<string, string> = {},
  { fileBlocks, isUnprivileged = false }: ProcessLimits = {}
): ChildProcess => {
  const commandLine = [process.execPath, "--conditions=@lectern/source", command, ...args]
  const [program, ...rest] =
    fileBlocks === undefined
      ? commandLine
      : ["sh", "-c", `ulimit -S -f ${fileBlocks}; exec "$@"`, "sh", ...commandLine]
  return spawn(program!, rest, {
    env: { PATH: process.env.PATH ?? "", ...env },
    ...(isUnprivileged && process.getuid?.() === 0
      ? { uid: unprivilegedUserId, gid: unprivilegedUserId }
      : {})
  })
}

/** Waits until a process that serves reports its URL. */
export const waitUntilServing = async (child: ChildProcess): Promise<ServerProcess> => {
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
