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
  /** Whether the permissions of files apply to a process of root, too. */
  readonly isUnprivileged?: boolean
}

/**
 * Runs a command without the capability to write to any file. Another user than root could not reach the programs in a checkout
 * that only its owner can enter.
 */
const withoutOverride = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override", "--"]

const command = programFile(new URL("../../../lectern/src/cli/main.ts", import.meta.url))

/** Starts the command from its sources. The caller ends the process. */
export const spawnProcess = (
  args: ReadonlyArray<string>,
  env: Record<string, string> = {},
  { fileBlocks, isUnprivileged = false }: ProcessLimits = {}
): ChildProcess => {
  const commandLine = [
    ...(isUnprivileged && process.getuid?.() === 0 ? withoutOverride : []),
    process.execPath,
    "--conditions=@lectern/source",
    command,
    ...args
  ]
  const [program, ...rest] =
    fileBlocks === undefined
      ? commandLine
      : ["sh", "-c", `ulimit -S -f ${fileBlocks}; exec "$@"`, "sh", ...commandLine]
  return spawn(program!, rest, { env: { PATH: process.env.PATH ?? "", ...env } })
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
    child.once("error", reject)
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
