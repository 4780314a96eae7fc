/** A feature of a host in a workspace: its operations, tables and checks, on every store. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import {
  Administration,
  BackgroundWork,
  CurrentUser,
  createWorkspace,
  Doctor,
  defineFeature,
  housekeepingJob,
  isLecternError,
  Jobs,
  Operations,
  Records,
  type RecordsAdapter,
  Spaces,
  SystemGrant,
  spaces,
  subscribeToEvent,
  Table,
  TransactionEvents,
  transactionEvent,
  UserId,
  Where,
  Workspace
} from "@lectern/core"
import { isFastRun } from "@lectern/harness"
import { toWebHandler } from "@lectern/http"
import { Cause, Context, Effect, Exit, Layer, Option, Stream } from "effect"
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest"
import { memory, ruleStores, stores } from "./stores.ts"
import { type Bookmark, Bookmarks, bookmarks } from "./support/bookmarks/Bookmarks.ts"
import { bookmarksFeature } from "./support/bookmarks/feature.ts"

type Storage = Layer.Layer<RecordsAdapter, unknown>

/** Opens a workspace with the bookmarks feature and a space of Ada that Eve cannot see. */
const open = async (storage: Storage) => {
  const workspace = createWorkspace({ storage, features: [bookmarksFeature] })
  onTestFinished(() => workspace.dispose())
  const createUser = (email: string) => workspace.administration.createUser({ input: { email } })
  const [ada, eve] = [await createUser("ada@example.com"), await createUser("eve@example.com")]
  const organization = await workspace.administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })
  const { id: space } = await workspace.as(ada).spaces.create({ organization, input: {} })
  return { workspace, ada: workspace.as(ada), eve: workspace.as(eve), space }
}

/** A service that a feature provides for its own jobs. */
class Note extends Context.Service<Note, undefined>()("test/Note") {}

/** The tag of the error that a promise rejects with; undefined if it resolves. */
const errorTag = (promise: Promise<unknown>): Promise<string | undefined> =>
  promise.then(
    () => undefined,
    (error: unknown) => (isLecternError(error) ? error._tag : String(error))
  )

/** Creates Ada's account, an organization and a space, with a bookmark of the space. */
const createBookmark = Effect.gen(function* () {
  const administration = yield* Administration
  const ada = UserId.make(yield* administration.createUser({ input: { email: "ada@example.com" } }))
  const organization = yield* administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })
  const space = yield* Effect.flatMap(Spaces, (spaces) => spaces.create({ organization, input: {} })).pipe(
    CurrentUser.provide(ada)
  )
  const bookmark = yield* Effect.flatMap(Bookmarks, (bookmarks) =>
    bookmarks.add({ space: space.id, input: { title: "Handbook" } })
  ).pipe(CurrentUser.provide(ada))
  return { ada, space: space.id, bookmark }
})

const findings = Effect.gen(function* () {
  const found = yield* Stream.runCollect((yield* Doctor).findings)
  return found.map(({ check, table, row, message }) => `${check}: ${table} ${row} ${message}`)
})

const withBookmarks = (storage: Storage) =>
  Workspace.layerWith([bookmarksFeature]).pipe(Layer.provide(storage))

for (const { name, make } of ruleStores) {
  describe(`bookmarks, a feature of a host, on ${name}`, () => {
    it("has its operations in the Promise facade, where they authorize the caller", async () => {
      const { ada, eve, space } = await open(await make())
      const added = await ada.bookmarks.add({ space, input: { title: "Handbook" } })
      expectTypeOf(added).toEqualTypeOf<Bookmark>()
      expect(await ada.bookmarks.list({})).toEqual([{ id: added.id, space, title: "Handbook" }])
      expect(await eve.bookmarks.list({})).toEqual([])
      expect(await errorTag(eve.bookmarks.add({ space, input: { title: "Handbook" } }))).toBe("NotFound")
      expect(await errorTag(ada.bookmarks.add({ space, input: { title: "" } }))).toBe("InvalidInput")
    })

    it("shares transactions with Lectern's operations", async () => {
      const { ada, space } = await open(await make())
      const failed = ada.transaction(async (tx) => {
        await tx.spaces.update({ space, input: { title: "Renamed" } })
        await tx.bookmarks.add({ space, input: { title: "Handbook" } })
        throw new Error("stopped")
      })
      await expect(failed).rejects.toThrow("stopped")
      expect(await ada.bookmarks.list({})).toEqual([])
      expect((await ada.spaces.get({ space })).title).not.toBe("Renamed")
    })

    it("has its service and its operations in the Effect layer", async () => {
      const program = Effect.gen(function* () {
        const { ada, bookmark } = yield* createBookmark
        const list = Effect.flatMap(Bookmarks, (bookmarks) => bookmarks.list({}))
        const { definitions } = yield* Operations
        return {
          isListed: (yield* CurrentUser.provide(ada)(list)).some(({ id }) => id === bookmark.id),
          rule: definitions.find((definition) => definition.name === "Bookmarks.add")?.rule
        }
      })
      const result = await Effect.runPromise(Effect.provide(program, withBookmarks(await make())))
      expect(result).toEqual({
        isListed: true,
        rule: { kind: "policy", action: "space.view", role: "read" }
      })
    })

    it("has its rows checked by the doctor", async () => {
      const program = Effect.gen(function* () {
        const { records } = yield* SystemGrant.make("Corrupts a bookmark.")
        const { bookmark } = yield* createBookmark
        const before = yield* findings
        const corrupted = Where.eq<Table.Row<typeof bookmarks>, "id">("id", bookmark.id)
        yield* records.update(bookmarks, corrupted, { title: "" })
        const { checks } = yield* Doctor
        return { bookmark, before, after: yield* findings, checks: checks.map(({ name }) => name) }
      })
      const result = await Effect.runPromise(Effect.provide(program, withBookmarks(await make())))
      expect(result.before).toEqual([])
      expect(result.after).toEqual([`bookmark-title: bookmarks ${result.bookmark.id} has no title`])
      expect(result.checks).toContain("bookmark-title")
    })

    it("loses rows whose referenced rows are removed", async () => {
      const program = Effect.gen(function* () {
        const { records } = yield* SystemGrant.make("Deletes a space, and counts its bookmarks.")
        const { space } = yield* createBookmark
        yield* records.remove(spaces, Where.eq<Table.Row<typeof spaces>, "id">("id", space))
        return yield* records.count(bookmarks, Where.all)
      })
      expect(await Effect.runPromise(Effect.provide(program, withBookmarks(await make())))).toBe(0)
    })
  })
}

/** The same table with an additional column. */
const coloredBookmarks = Table.makeProtected("bookmarks", {
  ...bookmarks,
  tenant: "organization",
  owner: "user",
  columns: { ...bookmarks.columns, color: Table.text() }
})

const coloredFeature = defineFeature("bookmarks", {
  tables: [coloredBookmarks],
  userServices: {},
  layer: Layer.empty
})

for (const { name, make } of stores) {
  describe(`the tables of a host's feature on ${name}`, () => {
    it("persist when the workspace is reopened, and are never altered", async () => {
      const storage = await make()
      const { ada } = await Effect.runPromise(Effect.provide(createBookmark, withBookmarks(storage)))
      const list = Effect.flatMap(Bookmarks, (bookmarks) => bookmarks.list({})).pipe(CurrentUser.provide(ada))
      const reopened = Effect.provide(list, withBookmarks(storage))
      expect((await Effect.runPromise(reopened)).map(({ title }) => title)).toEqual(["Handbook"])

      const colored = Workspace.layerWith([coloredFeature]).pipe(Layer.provide(storage))
      const exit = await Effect.runPromiseExit(Effect.provide(Effect.void, colored))
      const error = Exit.isFailure(exit)
        ? Option.getOrUndefined(Cause.findErrorOption(exit.cause))
        : undefined
      expect(error).toMatchObject({ _tag: "TableMismatch" })
      expect(String(error)).toContain("Table `bookmarks`: missing column color")
      expect((await Effect.runPromise(reopened)).length).toBe(1)
    })
  })
}

describe("a feature of a host", () => {
  it("is accepted by the HTTP server", async () => {
    const { workspace } = await open(await memory.make())
    const response = await toWebHandler(workspace)(new Request("http://localhost/v1/user"))
    expect(response.status).toBe(401)
  })

  it("runs its jobs, and handles events in the transaction of the publisher", async () => {
    const log: Array<string> = []
    const Noted = transactionEvent<{ readonly title: string }>("Noted")
    const notesFeature = defineFeature("notes", {
      userServices: {},
      layer: Layer.succeed(Note, undefined),
      jobs: Effect.map(Note, () => [
        { kind: "note", run: (payload) => Effect.succeed(Effect.sync(() => log.push(`job ${payload}`))) }
      ]),
      subscriptions: Effect.map(Records, (records) => [
        subscribeToEvent(Noted, ({ title }) =>
          Effect.map(records.isInTransaction, (isInTransaction) => {
            log.push(`event ${title}, ${isInTransaction ? "in" : "outside"} a transaction`)
          })
        )
      ])
    })
    const publisherFeature = defineFeature("publisher", {
      userServices: {},
      layer: Layer.effectDiscard(
        Effect.gen(function* () {
          // Subscriptions are registered once every layer is built.
          const [records, events, jobs] = [yield* Records, yield* TransactionEvents, yield* Jobs]
          publish = records.transaction(
            Effect.andThen(events.publish(Noted, { title: "first" }), jobs.enqueue("note", "first"))
          )
        })
      )
    })
    let publish: Effect.Effect<void, unknown> = Effect.void
    const program = Effect.gen(function* () {
      yield* publish
      return yield* (yield* BackgroundWork).drain
    })
    const layer = Workspace.layerWith([notesFeature, publisherFeature]).pipe(
      Layer.provide(await memory.make())
    )
    expect(await Effect.runPromise(Effect.provide(program, layer))).toBe(1)
    expect(log).toEqual(["event first, in a transaction", "job first"])
  })

  it("cannot declare a kind of job of another feature", async () => {
    const feature = defineFeature("archive", {
      userServices: {},
      layer: Layer.empty,
      jobs: Effect.succeed([housekeepingJob("purge", "1 hour", Effect.void)])
    })
    const layer = Workspace.layerWith([feature]).pipe(Layer.provide(await memory.make()))
    await expect(Effect.runPromise(Effect.provide(Effect.void, layer))).rejects.toThrow(
      'Two features declare jobs of the kind "purge".'
    )
  })

  it("cannot have the name, a table or a service of another feature", () => {
    const features = {
      name: defineFeature("spaces", { userServices: {}, layer: Layer.empty }),
      table: defineFeature("shelves", { tables: [spaces], userServices: {}, layer: Layer.empty }),
      service: defineFeature("shelves", { userServices: { spaces: Bookmarks }, layer: Bookmarks.layer })
    }
    for (const [what, feature] of Object.entries(features)) {
      expect(() => Workspace.layerWith([feature])).toThrow(
        new TypeError(
          `The feature "${feature.name}" has the ${what} "spaces", which the feature "spaces" has already.`
        )
      )
    }
  })

  it.skipIf(isFastRun)(
    "does not compile if it is listed before a feature whose services it requires, and the error names them",
    () => {
      const testFolder = dirname(fileURLToPath(import.meta.url))
      const folder = mkdtempSync(join(testFolder, ".compile-"))
      const program = (features: string) => `import { defineFeature, Workspace } from "@lectern/core"
import { Effect, Layer } from "effect"
import { Bookmarks } from "../support/bookmarks/Bookmarks.ts"
import { bookmarksFeature } from "../support/bookmarks/feature.ts"

const remindersFeature = defineFeature("reminders", {
  userServices: {},
  layer: Layer.effectDiscard(Effect.asVoid(Bookmarks))
})
export const layer = Workspace.layerWith(${features})
`
      try {
        writeFileSync(join(folder, "after.ts"), program("[bookmarksFeature, remindersFeature]"))
        writeFileSync(join(folder, "before.ts"), program("[remindersFeature, bookmarksFeature]"))
        const array = "[bookmarksFeature, remindersFeature].slice()"
        writeFileSync(join(folder, "array.ts"), program(array))
        const compilerOptions = { composite: false, declaration: false, declarationMap: false, noEmit: true }
        writeFileSync(
          join(folder, "tsconfig.json"),
          JSON.stringify({
            extends: "../../../../tsconfig.base.json",
            compilerOptions: { ...compilerOptions, allowImportingTsExtensions: true },
            files: ["after.ts", "array.ts", "before.ts"]
          })
        )
        const { stdout } = spawnSync("npx", ["tsc", "-p", folder, "--pretty", "false"], { encoding: "utf8" })
        const errors = stdout.split("\n").filter((line) => line.includes("error TS"))
        expect(errors, stdout).toHaveLength(2)
        expect(errors[0]).toMatch(/array\.ts\(\d+,\d+\): error/)
        expect(errors[1]).toMatch(/before\.ts\(\d+,\d+\): error/)
        expect(stdout).toContain("The features must be listed in a tuple")
        expect(stdout).toContain(
          '"The feature reminders requires services that no feature before it provides": Bookmarks'
        )
      } finally {
        rmSync(folder, { recursive: true })
      }
    }
  )
})
