/** The versions that cached rows depend on: `RecordsAdapter.raisedVersions`, with the triggers of the schema. */
import { Administration, CurrentUser, RecordsAdapter, Spaces, tables, UserId, Workspace } from "@lectern/core"
import { createTestDatabase } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer, Redacted } from "effect"
import pg from "pg"
import { describe, expect, inject, it } from "vitest"
import { temporaryFolder } from "./stores.ts"

/** Runs a test in a workspace with an organization and two spaces. */
const withWorkspace = <A>(
  storage: Layer.Layer<RecordsAdapter, unknown>,
  test: (scene: {
    readonly organization: string
    readonly spaces: readonly [string, string]
    /** Returns the raised scopes since the last call, in order; undefined if all may have been raised. */
    readonly take: Effect.Effect<ReadonlyArray<string> | undefined, unknown>
    readonly create: Effect.Effect<unknown, unknown>
  }) => Effect.Effect<A, unknown, RecordsAdapter>
): Promise<A> =>
  Effect.gen(function* () {
    const administration = yield* Administration
    const owner = UserId.make(yield* administration.createUser({ input: { email: "owner@example.com" } }))
    const createOrganization = administration.createOrganization({
      administrator: owner,
      input: { title: "One" }
    })
    const organization = yield* createOrganization
    const spaces = yield* Spaces
    const createSpace = Effect.map(
      CurrentUser.provide(owner)(spaces.create({ organization })),
      ({ id }): string => id
    )
    const both = [yield* createSpace, yield* createSpace] as const
    const { raisedVersions } = yield* RecordsAdapter
    let position: string | undefined
    const take = Effect.suspend(() => raisedVersions!(position)).pipe(
      Effect.map((raised) => {
        position = raised.position
        return raised.versions?.map(([scope]) => scope).sort()
      })
    )
    yield* take
    return yield* test({ organization, spaces: both, take, create: createOrganization })
  }).pipe(
    Effect.provide(Workspace.layer.pipe(Layer.provideMerge(storage))),
    Effect.scoped,
    Effect.runPromise
  ) as Promise<A>

const stores: ReadonlyArray<readonly [string, () => Promise<Layer.Layer<RecordsAdapter, unknown>>]> = [
  ["SQLite", async () => SqliteStorage.layer({ filename: `${temporaryFolder()}/lectern.db` })],
  ["SQLite in memory", async () => SqliteStorage.layer({ filename: ":memory:" })],
  [
    "PostgreSQL",
    async () => PgStorage.layer({ url: Redacted.make(await createTestDatabase(inject("postgres"))) })
  ]
]

describe.each(stores)("the raised versions, on %s", (_, open) => {
  it("name the scopes of the rows that a commit has changed, and are empty after a rollback", async () =>
    withWorkspace(await open(), ({ organization, spaces: [space, other], take }) =>
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        const table = tables.find(({ name }) => name === "spaces")!
        const update = (id: string, set: Readonly<Record<string, unknown>>) =>
          store.update(table, { op: "eq", column: "id", value: id }, { set, add: {} })
        expect(yield* take).toEqual([])
        yield* update(space, { updatedAt: "2026-01-01T00:00:00.000Z" })
        expect(yield* take).toEqual([`space:${space}`])
        expect(yield* take).toEqual([])
        yield* update(other, { title: "Renamed" })
        expect(yield* take).toEqual([`organization:${organization}`, `space:${other}`])
        const rolledBack = store.transaction(
          Effect.andThen(update(space, { title: "Never" }), Effect.fail("rolled back"))
        )
        yield* Effect.exit(rolledBack)
        expect(yield* take).toEqual([])
      })
    ))

  it("are all since a position that another server has returned", async () =>
    withWorkspace(await open(), ({ take }) =>
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        expect(yield* take).toEqual([])
        const { position } = yield* store.raisedVersions!(undefined)
        const numbers = position.slice(position.indexOf(" ") + 1)
        expect((yield* store.raisedVersions!(`another ${numbers}`)).versions).toBeUndefined()
        expect((yield* store.raisedVersions!(position)).versions).toEqual([])
      })
    ))
})

it("a transaction raises versions when it commits, after later ones that committed before it, on PostgreSQL", async () => {
  const url = await createTestDatabase(inject("postgres"))
  const elsewhere = await createTestDatabase(inject("postgres"))
  await withWorkspace(PgStorage.layer({ url: Redacted.make(url) }), ({ spaces: [first, second], take }) =>
    Effect.gen(function* () {
      const [one, other, unrelated] = [new pg.Client(url), new pg.Client(url), new pg.Client(elsewhere)]
      const clients = [one, other, unrelated]
      yield* Effect.promise(() => Promise.all(clients.map((client) => client.connect())))
      const touch = (client: pg.Client, space: string) =>
        Effect.promise(() => client.query(`UPDATE "spaces" SET "comments" = 1 WHERE "id" = $1`, [space]))
      const run = (client: pg.Client, text: string) => Effect.promise(() => client.query(text))
      yield* run(one, "BEGIN")
      yield* touch(one, first)
      yield* touch(other, second)
      expect(yield* take).toEqual([`space:${second}`])
      expect(yield* take).toEqual([])
      yield* run(one, "COMMIT")
      expect(yield* take).toEqual([`space:${first}`])
      yield* run(unrelated, "CREATE TABLE written AS SELECT 1 AS id")
      expect(yield* take).toEqual([])
      yield* Effect.promise(() => Promise.all(clients.map((client) => client.end())))
    })
  )
})
