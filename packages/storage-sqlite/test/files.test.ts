/** The files of a SQLite database: permissions, corruption, and files that are replaced while they are open. */

import { spawn } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { RecordsAdapter, StorageUnavailable } from "@lectern/core"
import { runs } from "@lectern/harness"
import { createTables } from "@lectern/storage-sql"
import { type SqliteOptions, SqliteStorage } from "@lectern/storage-sqlite"
import { Cause, Effect, Exit, Logger } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { folders, tables } from "../../storage-sql/test/support/tables.ts"
import { checkIntegrity } from "../src/databaseFile.ts"

const migrations = createTables(tables)

const withFolder = async (use: (filename: string, folder: string) => Promise<void>) => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-files-"))
  try {
    await use(join(folder, "docs.db"), folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const insert = (id: string) =>
  Effect.flatMap(RecordsAdapter, (store) =>
    store.transaction(store.insert(folders, [{ id, parent: null, name: id }]))
  )

const findIds = Effect.flatMap(RecordsAdapter, (store) =>
  Effect.map(
    store.find(folders, { where: { op: "and", conditions: [] }, orderBy: [], direction: "asc" }),
    (rows) => rows.map(({ id }) => id)
  )
)

/** Runs an effect on a file, and returns its exit and the messages that were logged. */
const runOn = async <A, E>(
  filename: string,
  effect: Effect.Effect<A, E, RecordsAdapter>,
  integrityCheck?: SqliteOptions["integrityCheck"]
) => {
  const messages: Array<string> = []
  const logger = Logger.make<unknown, void>(({ message }) => {
    messages.push(String(message))
  })
  const exit = await Effect.runPromiseExit(
    effect.pipe(
      Effect.provide(SqliteStorage.layer({ filename, migrations, integrityCheck })),
      Effect.provide(Logger.layer([logger]))
    )
  )
  return { exit, messages }
}

const reasonOf = (exit: Exit.Exit<unknown, unknown>) => {
  const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  return error instanceof StorageUnavailable ? error.reason : exit
}

describe("the files of a database", () => {
  it("are created for their owner only, in a folder whose mode does not change", () =>
    withFolder(async (filename, folder) => {
      chmodSync(folder, 0o755)
      const modes = Effect.andThen(
        insert("1"),
        Effect.sync(() => ["", "-wal", "-shm"].map((suffix) => statSync(filename + suffix).mode & 0o777))
      )
      expect((await runOn(filename, modes)).exit).toEqual(Exit.succeed([0o600, 0o600, 0o600]))
      expect(statSync(folder).mode & 0o777).toBe(0o755)
    }))

  it("retain their mode if they exist", () =>
    withFolder(async (filename) => {
      writeFileSync(filename, "", { mode: 0o640 })
      chmodSync(filename, 0o640)
      await runOn(filename, insert("1"))
      expect(statSync(filename).mode & 0o777).toBe(0o640)
    }))
})

describe("writes fail with FileReplaced after a file of the database", () => {
  const changes: Readonly<Record<string, (path: string) => void>> = {
    "is moved": (path) => renameSync(path, `${path}.moved`),
    "is deleted": (path) => rmSync(path),
    "is replaced by a copy": (path) => {
      copyFileSync(path, `${path}.copy`)
      renameSync(`${path}.copy`, path)
    }
  }
  for (const [what, change] of Object.entries(changes)) {
    for (const suffix of ["", "-wal", "-shm"]) {
      it(`${what}: docs.db${suffix}`, () =>
        withFolder(async (filename) => {
          const program = Effect.gen(function* () {
            yield* insert("before")
            change(filename + suffix)
            const write = yield* Effect.exit(insert("after"))
            const probe = yield* Effect.exit(Effect.flatMap(RecordsAdapter, (store) => store.probe))
            return [write, probe].map(reasonOf)
          })
          expect((await runOn(filename, program)).exit).toEqual(
            Exit.succeed(["FileReplaced", "FileReplaced"])
          )
        }))
    }
  }

  it("during a transaction, which is not committed", () =>
    withFolder(async (filename) => {
      const program = Effect.gen(function* () {
        const store = yield* RecordsAdapter
        const write = Effect.andThen(
          store.insert(folders, [{ id: "1", parent: null, name: "1" }]),
          Effect.sync(() => renameSync(filename, `${filename}.moved`))
        )
        const exit = yield* Effect.exit(store.transaction(write))
        renameSync(`${filename}.moved`, filename)
        return [reasonOf(exit), yield* findIds]
      })
      expect((await runOn(filename, program)).exit).toEqual(Exit.succeed(["FileReplaced", []]))
    }))

  it("until the file is moved back", () =>
    withFolder(async (filename) => {
      const program = Effect.gen(function* () {
        yield* insert("1")
        renameSync(filename, `${filename}.moved`)
        yield* Effect.flip(insert("2"))
        renameSync(`${filename}.moved`, filename)
        yield* insert("3")
        return yield* findIds
      })
      expect((await runOn(filename, program)).exit).toEqual(Exit.succeed(["1", "3"]))
    }))
})

/** Creates a closed database with rows, and returns the number of its pages. */
const fill = async (filename: string): Promise<number> => {
  const rows = Array.from({ length: 600 }, (_, id) => ({
    id: String(id).padStart(6, "0"),
    parent: null,
    name: "x".repeat(200) + id
  }))
  const { exit } = await runOn(
    filename,
    Effect.flatMap(RecordsAdapter, (store) => store.insert(folders, rows))
  )
  expect(Exit.isSuccess(exit)).toBe(true)
  return statSync(filename).size / 4096
}

const overwritePage = (filename: string, page: number) => {
  const file = openSync(filename, "r+")
  writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, page * 4096)
  closeSync(file)
}

/** A program that replaces a table for full text search all the time, and prints a line when it has started. */
const changeSchema = `
  const database = new (require("node:sqlite").DatabaseSync)(process.argv[1], { timeout: 60000 })
  const create = "CREATE VIRTUAL TABLE words USING fts5(word, content = '')"
  database.exec("PRAGMA journal_mode = WAL; " + create)
  console.log("started")
  for (;;) database.exec("BEGIN IMMEDIATE; DROP TABLE words; " + create + "; COMMIT")
`

describe("a corrupt file", () => {
  it("is rejected at start, for each overwritten page", () =>
    withFolder(async (original, folder) => {
      const pages = await fill(original)
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: pages - 1 }), async (page) => {
          const filename = join(folder, `${page}.db`)
          copyFileSync(original, filename)
          overwritePage(filename, page)
          const { exit } = await runOn(filename, findIds)
          rmSync(filename)
          expect(reasonOf(exit)).toBe("Corrupted")
        }),
        runs(20)
      )
    }))

  it("is not reported for an intact file whose schema another process changes", () =>
    withFolder(async (filename) => {
      const other = spawn(process.execPath, ["-e", changeSchema, filename])
      try {
        await once(other.stdout, "data")
        for (let i = 0; i < 1_000; i++) {
          const database = new DatabaseSync(filename, { timeout: 60_000 })
          expect(checkIntegrity(database, "quick")).toEqual([])
          database.close()
        }
      } finally {
        const exited = once(other, "exit")
        other.kill("SIGKILL")
        await exited
      }
    }))

  it("is served with a log entry if the host allows it, and names the corruption", () =>
    withFolder(async (filename) => {
      const pages = await fill(filename)
      overwritePage(filename, pages - 1)
      const program = Effect.flatMap(RecordsAdapter, (store) => store.checkIntegrity!)
      const { exit, messages } = await runOn(filename, program, "report")
      expect(messages).toEqual([expect.stringMatching(/docs\.db" is corrupt.*lectern doctor/)])
      expect(exit).toEqual(Exit.succeed(expect.arrayContaining([expect.stringMatching(/./)])))
    }))

  it("is logged once and stops writes when a statement finds the corruption later", () =>
    withFolder(async (filename) => {
      const pages = await fill(filename)
      const program = Effect.gen(function* () {
        for (let page = 3; page < pages; page++) overwritePage(filename, page)
        const read = yield* Effect.exit(findIds)
        const again = yield* Effect.exit(findIds)
        const write = yield* Effect.exit(insert("new"))
        return [read, again, write].map(reasonOf)
      })
      const { exit, messages } = await runOn(filename, program)
      expect(exit).toEqual(Exit.succeed(["Corrupted", "Corrupted", "Corrupted"]))
      expect(messages.filter((message) => message.includes("is corrupt"))).toHaveLength(1)
    }))

  it("is rejected if it is not a database", () =>
    withFolder(async (filename) => {
      writeFileSync(filename, "This is text, and longer than the header of a database.".repeat(100))
      expect(reasonOf((await runOn(filename, findIds)).exit)).toBe("Corrupted")
    }))
})

describe("a process that is older than the schema", () => {
  it("no longer writes, and continues to read", () =>
    withFolder(async (filename) => {
      const program = Effect.gen(function* () {
        yield* insert("1")
        const newer = new DatabaseSync(filename)
        newer.exec(`INSERT INTO "lecternMigrations" VALUES (2, 'newer', '2026-01-01T00:00:00.000Z')`)
        newer.close()
        return [reasonOf(yield* Effect.exit(insert("2"))), yield* findIds]
      })
      expect((await runOn(filename, program)).exit).toEqual(Exit.succeed(["SchemaTooNew", ["1"]]))
    }))
})
