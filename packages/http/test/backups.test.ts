/** Backups: of one committed state, of every released schema, verified, repeatable after an interruption. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  Administration,
  BackgroundWork,
  Content,
  CurrentUser,
  loadBackup,
  OrganizationId,
  SigningSecret,
  Spaces,
  secretFingerprint,
  tables,
  UserId,
  Webhooks,
  Workspace
} from "@lectern/core"
import { isLongRun, runs, StoreContents } from "@lectern/harness"
import { createTestDatabase } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { tablesOfSchema } from "@lectern/storage-sql"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { MemoryStorage } from "@lectern/testkit"
import { makeMovableClock } from "@lectern/testkit/model"
import { Clock, Effect, Exit, Layer, Redacted } from "effect"
import * as fc from "fast-check"
import { describe, expect, inject, it, onTestFinished } from "vitest"
import { openBackupFolder } from "../../lectern/src/backup/BackupFolder.ts"
import { latestSchema } from "../../lectern/src/backup/backupTables.ts"
import { loadIntoDatabase, readDatabase } from "../../lectern/src/cli/stores.ts"
import type { Database } from "../../lectern/src/settings/DatabaseUrl.ts"
import { serve } from "./processes.ts"
import { stores, temporaryFolder } from "./stores.ts"
import {
  backUp,
  contentsOf,
  copyStore,
  type OpenStore,
  openStore,
  readFrom,
  restoreFrom
} from "./support/backups.ts"
import { findings } from "./support/doctorFindings.ts"
import { extractOldDatabase, oldSchemas } from "./support/oldDatabases.ts"
import { createSampleWorkspace } from "./support/sampleWorkspace.ts"
import { until } from "./support/until.ts"

/** Opens a store until the test has finished. */
const openNew = async (storage: OpenStore["layer"]): Promise<OpenStore> => {
  const store = await openStore(storage)
  onTestFinished(() => store.close())
  return store
}

const openMemory = (): Promise<OpenStore> => openNew(MemoryStorage.layer())

/** Runs an effect in the workspace on a store. */
const inWorkspace = <A, E>(
  store: OpenStore,
  effect: Effect.Effect<A, E, Layer.Success<typeof Workspace.layer>>
): Promise<A> => Effect.runPromise(Effect.provide(effect, Workspace.layer.pipe(Layer.provide(store.layer))))

/** Creates an organization with an administrator, and returns its id. */
const createOrganization = (store: OpenStore, name: string): Promise<OrganizationId> =>
  inWorkspace(
    store,
    Effect.gen(function* () {
      const administration = yield* Administration
      const administrator = yield* administration.createUser({ input: { email: `${name}@example.com` } })
      const id = yield* administration.createOrganization({ administrator, input: { title: name } })
      return OrganizationId.make(id)
    })
  )

const failureOf = async <A>(promise: Promise<A>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error
  )

const sqliteDatabase = (filename: string): Database => ({
  _tag: "Sqlite",
  filename,
  prefix: undefined,
  integrityCheck: undefined
})

const silent = () => Effect.void
const noSecret = { secrets: [] }
const loadOptions = { ...noSecret, acceptSecret: false, isDryRun: false, onProgress: silent }

describe("the tables of the latest schema, derived from the migrations, equal the tables of core", () => {
  const shapes = (all: typeof tables) =>
    all
      .map(({ name, columns, key, references }) => [
        name,
        Object.entries(columns)
          .map(([column, { kind, nullable }]) => `${column} ${kind} ${nullable}`)
          .sort(),
        key,
        Object.entries(references)
          .map(([column, reference]) => `${column} ${reference?.table().name}`)
          .sort()
      ])
      .sort()
  it("with the same columns, keys and references", () => {
    expect(shapes(tablesOfSchema(latestSchema))).toEqual(shapes(tables))
  })
})

describe("a backup of each released schema is restored", () => {
  const targets = [
    { name: "SQLite", make: async () => sqliteDatabase(join(temporaryFolder(), "restored.db")) },
    {
      name: "PostgreSQL",
      make: async (): Promise<Database> => ({
        _tag: "Postgres",
        url: Redacted.make(await createTestDatabase(inject("postgres"))),
        schema: undefined,
        options: {}
      })
    }
  ]
  for (const { name, make } of targets) {
    for (const schema of oldSchemas) {
      it(`from ${schema}, into ${name}: it equals the upgraded database`, async () => {
        const source = sqliteDatabase(extractOldDatabase(schema, temporaryFolder()))
        const folder = temporaryFolder()
        await Effect.runPromise(
          readDatabase(source, noSecret, (backup) => openBackupFolder(folder).write(backup, "test"))
        )
        const target = await make()
        await Effect.runPromise(
          Effect.flatMap(openBackupFolder(folder).open(), (opened) =>
            loadIntoDatabase(opened.source, { ...loadOptions, database: target })
          )
        )
        const upgraded = await openNew(storageOf(source))
        const restored = await openNew(storageOf(target))
        // The jobs that rebuild derived data are enqueued at the time of the migration.
        const withoutJobs = async (store: OpenStore) =>
          new Map([...(await contentsOf(store))].filter(([table]) => table !== "jobs"))
        expect(StoreContents.diffContents(await withoutJobs(upgraded), await withoutJobs(restored))).toEqual(
          []
        )
      })
    }
  }
})

const storageOf = (database: Database): OpenStore["layer"] =>
  database._tag === "Sqlite"
    ? SqliteStorage.layer({ filename: database.filename })
    : PgStorage.layer({ url: database.url })

describe("a backup reads one committed state, and writers do not wait for it", () => {
  for (const { name, make } of stores) {
    it(`on ${name}`, async () => {
      const store = await openNew(await make())
      await createOrganization(store, "before")
      const before = await contentsOf(store)
      const target = await openMemory()
      await readFrom(store, (source) =>
        Effect.andThen(
          // A write that waited for the backup would never end.
          Effect.promise(() => createOrganization(store, "meanwhile")),
          loadBackup(target.adapter, source)
        )
      )
      expect(StoreContents.diffContents(before, await contentsOf(target))).toEqual([])
      expect(StoreContents.diffContents(before, await contentsOf(store))).not.toEqual([])
    })
  }
})

/** Returns the paths of all files in a folder. */
const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort()

it("large rows are read in small batches", async () => {
  const store = await openMemory()
  const size = 1024 * 1024
  const rows = Array.from({ length: 60 }, (_, index) => ({ name: String(index), value: "x".repeat(size) }))
  const secrets = tables.find(({ name }) => name === "secrets")!
  await Effect.runPromise(store.adapter.insert(secrets, rows))
  const batches: Array<number> = []
  await readFrom(store, (source) =>
    source.eachRows(secrets, (batch) => Effect.sync(() => batches.push(batch.length)))
  )
  expect(batches.reduce((sum, count) => sum + count)).toBe(rows.length)
  expect(Math.max(...batches)).toBe(8)
  expect(batches.slice(1).every((count) => count <= 4)).toBe(true)
})

it("a backup with any changed byte is rejected or equal, and leaves no row in the target", async () => {
  const store = await openNew(await stores[0]!.make())
  await seedContent(store)
  const folder = temporaryFolder()
  await backUp(store, folder)
  const files = filesIn(folder)
  const expected = await contentsOf(store)
  let rejected = 0
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: files.length - 1 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.integer({ min: 1, max: 255 }),
      async (file, place, change) => {
        const path = files[file]!
        const original = readFileSync(path)
        if (original.length === 0) return
        const corrupt = Buffer.from(original)
        const at = Math.floor(place * original.length)
        corrupt[at] = corrupt[at]! ^ change
        writeFileSync(path, corrupt)
        const target = await openStore(MemoryStorage.layer())
        try {
          const failure = await failureOf(restoreFrom(folder, target))
          const contents = await contentsOf(target)
          if (failure === undefined) {
            expect(StoreContents.diffContents(expected, contents)).toEqual([])
          } else {
            rejected++
            expect(failure).toMatchObject({ _tag: "BackupError" })
            const rows = [...contents].filter(([table, rows]) => table !== "blobs" && rows.length > 0)
            expect(rows).toEqual([])
          }
        } finally {
          writeFileSync(path, original)
          await target.close()
        }
      }
    ),
    runs(60)
  )
  expect(rejected).toBeGreaterThan(0)
})

describe("after an interruption at any step, a repetition completes", () => {
  /** The number of steps from one interruption to the next. */
  const stride = isLongRun ? 1 : 3

  /** Interrupts the nth call of a function of progress. */
  const interruptAt = (n: number) => {
    let count = 0
    return () => (count++ === n ? Effect.die(new Error("interrupted")) : Effect.void)
  }

  it("a backup, whose repetition does not write the blobs again", async () => {
    const store = await openNew(await stores[0]!.make())
    await seedContent(store)
    const expected = await contentsOf(store)
    for (let step = 0; ; step += stride) {
      const folder = temporaryFolder()
      const backups = openBackupFolder(folder)
      const exit = await readFrom(store, (source) =>
        Effect.exit(backups.write(source, "test", interruptAt(step)))
      )
      expect(await Effect.runPromise(backups.list)).toHaveLength(Exit.isSuccess(exit) ? 1 : 0)
      const { newBlobs, manifest } = await backUp(store, folder)
      // The first steps are before the pack is written.
      if (step > 1) expect(newBlobs).toBe(0)
      expect(manifest.blobs.count).toBeGreaterThan(0)
      const target = await openMemory()
      await restoreFrom(folder, target)
      expect(StoreContents.diffContents(expected, await contentsOf(target))).toEqual([])
      if (Exit.isSuccess(exit)) break
    }
  })

  it("a restore, whose repetition does not load the stored blobs again", async () => {
    const store = await openNew(await stores[0]!.make())
    await seedContent(store)
    const expected = await contentsOf(store)
    for (let step = 0; ; step += stride) {
      const target = await openMemory()
      const exit = await readFrom(store, (source) =>
        Effect.exit(loadBackup(target.adapter, source, { onProgress: interruptAt(step) }))
      )
      if (Exit.isSuccess(exit)) break
      const rows = [...(await contentsOf(target))].filter(
        ([table, all]) => table !== "blobs" && all.length > 0
      )
      expect(rows).toEqual([])
      const loaded = await copyStore(store, target)
      expect(loaded.newBlobs).toBeLessThan(loaded.blobs)
      expect(StoreContents.diffContents(expected, await contentsOf(target))).toEqual([])
    }
  })
})

it("a restore into a database with rows is rejected, and changes nothing", async () => {
  const [source, target] = [await openMemory(), await openMemory()]
  await createOrganization(source, "source")
  await createOrganization(target, "target")
  const before = await contentsOf(target)
  expect(await failureOf(copyStore(source, target))).toMatchObject({ reason: "TargetNotEmpty" })
  expect(StoreContents.diffContents(before, await contentsOf(target))).toEqual([])
})

describe("an organization", () => {
  it("is added to a workspace, and its repetition clashes and changes nothing", async () => {
    const [source, target] = [await openMemory(), await openMemory()]
    const organization = await seedContent(source)
    await createOrganization(source, "another")
    await createOrganization(target, "target")
    await copyStore(source, target, organization)
    expect(await inWorkspace(target, findings)).toEqual([])
    const before = await contentsOf(target)
    expect(before.get("organizations")).toHaveLength(2)
    expect(await failureOf(copyStore(source, target, organization))).toMatchObject({ reason: "Clash" })
    expect(StoreContents.diffContents(before, await contentsOf(target))).toEqual([])
  })

  it("has its webhooks, and the files of its integrations", async () => {
    const [source, target] = [await openMemory(), await openMemory()]
    const { organization } = await inWorkspace(
      source,
      Effect.tap(createSampleWorkspace, (created) =>
        Effect.flatMap(Webhooks, (webhooks) =>
          webhooks.create({
            organization: created.organization,
            input: { url: "https://hooks.example.com/", types: ["space.created"] } as never
          })
        ).pipe(CurrentUser.provide(UserId.make(created.ada)))
      )
    )
    await copyStore(source, target, OrganizationId.make(organization))
    const [before, after] = [await contentsOf(source), await contentsOf(target)]
    for (const table of ["webhooks", "integrationAssets", "commentReplies"]) {
      expect(before.get(table)!.length, table).toBeGreaterThan(0)
      expect(after.get(table), table).toEqual(before.get(table))
    }
  })

  it("is added to a workspace that has the same content", async () => {
    const [source, target] = [await openMemory(), await openMemory()]
    const organization = await seedContent(source, "acme", "same")
    await seedContent(target, "other", "same")
    await copyStore(source, target, organization)
    expect(await inWorkspace(target, findings)).toEqual([])
    expect((await contentsOf(target)).get("spaces")).toHaveLength(2)
  })

  it("clashes with an account that has the e-mail address of one of its members", async () => {
    const [source, target] = [await openMemory(), await openMemory()]
    const organization = await createOrganization(source, "ada")
    await createOrganization(target, "ada")
    const before = await contentsOf(target)
    expect(await failureOf(copyStore(source, target, organization))).toMatchObject({
      reason: "Clash",
      message:
        "The organization clashes with the target. Another account has the e-mail address ada@example.com."
    })
    expect(StoreContents.diffContents(before, await contentsOf(target))).toEqual([])
  })

  it("that does not exist is not found", async () => {
    const [source, target] = [await openMemory(), await openMemory()]
    expect(await failureOf(copyStore(source, target, OrganizationId.make("0".repeat(30))))).toMatchObject({
      reason: "NotFound"
    })
  })
})

it("pruning deletes the oldest backups and the blobs that no other one needs", async () => {
  const store = await openNew(await stores[0]!.make())
  await seedContent(store)
  const folder = temporaryFolder()
  const backups = openBackupFolder(folder)
  await backUp(store, folder)
  const [first] = await Effect.runPromise(backups.list)
  const packs = filesIn(join(folder, "packs"))
  // Another workspace has other blobs.
  const other = await openNew(await stores[0]!.make())
  await seedContent(other, "other")
  await backUp(other, folder)
  expect(await Effect.runPromise(backups.prune(2))).toEqual([])
  expect(await Effect.runPromise(backups.prune(1))).toEqual([first!.id])
  const remaining = filesIn(join(folder, "packs"))
  expect(packs.filter((path) => remaining.includes(path))).toEqual([])
  const target = await openMemory()
  await restoreFrom(folder, target)
  expect(StoreContents.diffContents(await contentsOf(other), await contentsOf(target))).toEqual([])
})

it("an id that is not that of a complete backup is rejected, and a folder without manifest is not listed", async () => {
  const store = await openMemory()
  const folder = temporaryFolder()
  const backups = openBackupFolder(folder)
  await backUp(store, folder)
  const [complete] = await Effect.runPromise(backups.list)
  const incomplete = "2026-01-01T00-00-00-000Z"
  mkdirSync(join(folder, incomplete))
  for (const id of ["latest", incomplete, `../${complete!.id}`, `./${complete!.id}`]) {
    expect(await failureOf(Effect.runPromise(backups.open(id)))).toMatchObject({
      reason: "NotFound",
      message: expect.stringContaining(`There is no complete backup ${id} in ${folder}.`)
    })
  }
  expect((await Effect.runPromise(backups.list)).map(({ id }) => id)).toEqual([complete!.id])
  expect((await Effect.runPromise(backups.open())).id).toBe(complete!.id)
})

it("a second process does not write to a folder during a backup", async () => {
  const store = await openMemory()
  await createOrganization(store, "acme")
  const folder = temporaryFolder()
  const second = await readFrom(store, (source) => {
    const backups = openBackupFolder(folder)
    let inner: unknown
    return Effect.map(
      backups.write(source, "test", () =>
        Effect.map(Effect.exit(openBackupFolder(folder).prune(1)), (exit) => {
          inner = exit
        })
      ),
      () => inner
    )
  })
  expect(String(second)).toMatch(/Another process writes/)
})

describe("the secret of the workspace is verified before anything is written", () => {
  const secret = Redacted.make("a secret of at least 32 characters")
  const other = Redacted.make("another secret of 32 characters or more")

  it("a restore with another secret is rejected, unless it is accepted", async () => {
    const path = join(temporaryFolder(), "source.db")
    const source = await openNew(SqliteStorage.layer({ filename: path }))
    await createOrganization(source, "acme")
    const folder = temporaryFolder()
    await Effect.runPromise(
      readDatabase(sqliteDatabase(path), { secrets: [secret], acceptSecret: true }, (backup) =>
        openBackupFolder(folder).write(backup, "test")
      )
    )
    const target = join(temporaryFolder(), "target.db")
    const restore = (configured: ReadonlyArray<Redacted.Redacted<string>>, acceptSecret = false) =>
      Effect.runPromise(
        Effect.flatMap(openBackupFolder(folder).open(), (opened) =>
          loadIntoDatabase(opened.source, {
            ...loadOptions,
            acceptSecret,
            secrets: configured,
            database: sqliteDatabase(target)
          })
        )
      )
    for (const wrong of [[other], []]) {
      expect(await failureOf(restore(wrong))).toMatchObject({ reason: "WrongSecret" })
      expect(readdirSync(join(target, ".."))).toEqual([])
    }
    await restore([other], true)
    expect(await failureOf(restore([secret]))).toMatchObject({
      _tag: "BackupError",
      reason: "TargetNotEmpty"
    })
  })

  it("an organization with another secret creates no database", async () => {
    const store = await openMemory()
    const folder = temporaryFolder()
    await backUp(store, folder)
    const { source } = await Effect.runPromise(openBackupFolder(folder).open())
    const target = join(temporaryFolder(), "target.db")
    const organization = {
      ...source,
      organization: OrganizationId.make("acme"),
      secret: { fingerprint: secretFingerprint(secret), isStored: false }
    }
    for (const secrets of [[other], []]) {
      const options = { ...loadOptions, secrets, database: sqliteDatabase(target) }
      expect(await failureOf(Effect.runPromise(loadIntoDatabase(organization, options)))).toMatchObject({
        reason: "WrongSecret"
      })
      expect(readdirSync(join(target, ".."))).toEqual([])
    }
  })

  it("a former secret restores a backup", async () => {
    const store = await openMemory()
    const folder = temporaryFolder()
    await backUp(store, folder)
    const { source } = await Effect.runPromise(openBackupFolder(folder).open())
    const options = { ...loadOptions, database: sqliteDatabase(join(temporaryFolder(), "target.db")) }
    const fingerprint = { fingerprint: secretFingerprint(secret), isStored: false }
    await Effect.runPromise(
      loadIntoDatabase({ ...source, secret: fingerprint }, { ...options, secrets: [other, secret] })
    )
  })

  it("a workspace is not read with a secret that does not decrypt its values, unless it is accepted", async () => {
    const path = join(temporaryFolder(), "source.db")
    const layer = SqliteStorage.layer({ filename: path })
    const withSecret = Layer.provide(Workspace.layer, [layer, Layer.succeed(SigningSecret, secret)])
    await Effect.runPromise(
      Effect.provide(
        Effect.gen(function* () {
          const administration = yield* Administration
          const administrator = yield* administration.createUser({ input: { email: "ada@example.com" } })
          const id = yield* administration.createOrganization({ administrator, input: { title: "Acme" } })
          yield* administration.regenerateVisitorKey({ organization: OrganizationId.make(id) })
        }),
        withSecret
      )
    )
    const read = (secrets: ReadonlyArray<Redacted.Redacted<string>>, acceptSecret = false) =>
      Effect.runPromise(
        readDatabase(sqliteDatabase(path), { secrets, acceptSecret }, (source) =>
          Effect.succeed(source.secret)
        )
      )
    for (const wrong of [[other], []]) {
      expect(await failureOf(read(wrong))).toMatchObject({ reason: "WrongSecret" })
      await read(wrong, true)
    }
    expect(await read([secret])).toEqual({ fingerprint: secretFingerprint(secret), isStored: false })
    expect(await read([other, secret])).toEqual({ fingerprint: secretFingerprint(other), isStored: false })
  })
})

it("a server takes backups at intervals, and deletes old ones", async () => {
  const folder = temporaryFolder()
  const database = `sqlite:${join(temporaryFolder(), "lectern.db")}`
  const backups = openBackupFolder(folder)
  const list = () => Effect.runPromise(backups.list)
  // Two backups that are older than the interval.
  const store = await openMemory()
  await createOrganization(store, "acme")
  for (const year of [2024, 2025]) {
    const clock = makeMovableClock(Date.UTC(year, 0, 1)).clock
    await readFrom(store, (source) =>
      Effect.provideService(backups.write(source, "test"), Clock.Clock, clock)
    )
  }
  // A corrupt backup does not prevent later ones.
  const [oldest] = await list()
  const manifest = join(folder, oldest!.id, "manifest.json")
  const text = readFileSync(manifest)
  writeFileSync(manifest, "{")
  expect(await Effect.runPromise(Effect.map(backups.findNewest, (newest) => newest!.id))).toMatch(/^2025/)
  writeFileSync(manifest, text)
  const server = await serve(database, ["--backup-to", folder, "--backup-keep", "2"])
  await until("a backup was taken", async () => (await list()).at(-1)!.id > "2026")
  await until("the oldest backup was deleted", async () => (await list()).length === 2)
  expect(await server.end("SIGTERM")).toBe(0)
  const target = await openMemory()
  await restoreFrom(folder, target)
  expect((await contentsOf(target)).get("organizations")).toHaveLength(1)
})

/** Creates an organization with a space that has pages, and returns its id. */
const seedContent = (store: OpenStore, name = "acme", words = name): Promise<OrganizationId> =>
  Effect.gen(function* () {
    const id = yield* Effect.promise(() => createOrganization(store, name))
    yield* Effect.promise(() =>
      inWorkspace(
        store,
        Effect.gen(function* () {
          const administration = yield* Administration
          const user = yield* administration.findUser({ email: `${name}@example.com` })
          yield* Effect.gen(function* () {
            const space = yield* (yield* Spaces).create({ organization: id, input: { title: name } })
            for (const title of ["One", "Two"]) {
              yield* (yield* Content).edit({
                content: { space: space.id },
                input: {
                  changes: [
                    {
                      operation: "insert_page",
                      title,
                      document: { markdown: `# ${title}\n\n${words} text.` }
                    }
                  ]
                }
              })
            }
          }).pipe(CurrentUser.provide(user.id))
          yield* (yield* BackgroundWork).drain
        })
      )
    )
    return id
  }).pipe(Effect.runPromise)
