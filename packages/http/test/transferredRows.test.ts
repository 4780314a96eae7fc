/** The transfer of a space or a collection writes the organization of all rows that belong to it, or of none. */
import {
  Collections,
  Content,
  CurrentUser,
  Doctor,
  type PlainRow,
  RecordsAdapter,
  Reviews,
  Spaces,
  StorageUnavailable,
  tables,
  UserId
} from "@lectern/core"
import { tenantSourceOf } from "@lectern/kernel"
import { makeCoreApi } from "@lectern/testkit/model"
import { Effect, Exit, Layer, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { transferredTables } from "../../core/src/features/collections/transferContent.ts"
import { ruleStores } from "./stores.ts"
import { createSampleWorkspace, type SampleWorkspace } from "./support/sampleWorkspace.ts"

/** A store whose updates of one table can fail. */
const makeFailingStore = (storage: Layer.Layer<RecordsAdapter, unknown>) => {
  let failing: string | undefined
  let opened: RecordsAdapter["Service"] | undefined
  const layer = Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter): RecordsAdapter["Service"] => {
      opened = adapter
      return {
        ...adapter,
        update: (table, where, change, options) =>
          table.name === failing && Object.hasOwn(change.set, "organization")
            ? Effect.fail(
                new StorageUnavailable({ reason: "Unreachable", detail: "The process was killed." })
              )
            : adapter.update(table, where, change, options)
      }
    })
  ).pipe(Layer.provide(storage))
  return {
    layer,
    adapter: () => opened!,
    failOn: (table: string | undefined) => {
      failing = table
    }
  }
}

/** Adds rows of the tables that are empty in the sample: a moved page, an archived page, and a requested reviewer. */
const addRows = Effect.fnUntraced(function* ({ space, ada, bob }: SampleWorkspace) {
  const content = yield* Content
  const edit = (changes: ReadonlyArray<object>) =>
    content.edit({ content: { space }, input: { changes: changes as never } })
  const { changes } = yield* edit(
    ["Moved", "Removed"].map((title) => ({
      operation: "insert_page",
      document: { markdown: `# ${title}` }
    }))
  )
  const [moved, removed] = changes.map((change) => (change.object === "created_page" ? change.page.id : ""))
  yield* edit([
    { operation: "update_page", page: moved, slug: "elsewhere" },
    { operation: "delete_page", page: removed }
  ])
  const reviews = yield* Reviews
  yield* reviews
    .request({ space, changeRequest: "2", input: { users: [UserId.make(bob)] } })
    .pipe(CurrentUser.provide(UserId.make(ada)))
})

/** Returns the organizations of the rows of each table that moves with a space, in the order of the keys of rows. */
const organizationsOfRows = Effect.fnUntraced(function* (adapter: RecordsAdapter["Service"]) {
  const found = new Map<string, ReadonlyArray<PlainRow>>()
  for (const table of transferredTables) {
    const rows = yield* adapter.find(table, { where: { op: "all" }, orderBy: [], direction: "asc" })
    const columns = [...table.key, "organization"]
    found.set(
      table.name,
      rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))
    )
  }
  return found
})

/** Returns the number of rows of each table, by whether they have the organization of the row that they belong to. */
const countAgreements = Effect.fnUntraced(function* (adapter: RecordsAdapter["Service"]) {
  const counts: Record<string, { same: number; other: number }> = {}
  for (const table of tables) {
    const source = tenantSourceOf(table)
    if (source === undefined || !transferredTables.includes(table)) continue
    const all = { where: { op: "all" }, orderBy: [], direction: "asc" } as const
    const owners = new Map((yield* adapter.find(source.table, all)).map((row) => [row.id, row.organization]))
    const rows = yield* adapter.find(table, all)
    const same = rows.filter((row) => owners.get(row[source.column]) === row.organization).length
    counts[table.name] = { same, other: rows.length - same }
  }
  return counts
})

const findings = Effect.gen(function* () {
  const all = yield* Stream.runCollect((yield* Doctor).findings)
  return all.map(({ check, table, row, message }) => `${check}: ${table} ${row} ${message}`)
})

const transfers: Readonly<
  Record<
    string,
    (workspace: SampleWorkspace) => Effect.Effect<void, unknown, CurrentUser | Collections | Spaces>
  >
> = {
  space: ({ space, otherOrganization }: SampleWorkspace) =>
    Effect.flatMap(Spaces, (spaces) =>
      Effect.asVoid(spaces.transfer({ space, input: { organization: otherOrganization } as never }))
    ),
  collection: ({ collection, otherOrganization }: SampleWorkspace) =>
    Effect.flatMap(Collections, (collections) =>
      Effect.asVoid(collections.transfer({ collection, input: { organization: otherOrganization } as never }))
    )
}

for (const [what, transfer] of Object.entries(transfers)) {
  describe(`the transfer of a ${what}`, () => {
    for (const { name, make } of ruleStores) {
      it(`moves all rows, or none if a statement fails, on ${name}`, async () => {
        const store = makeFailingStore(await make())
        const core = makeCoreApi(store.layer)
        try {
          const workspace = await core.runtime.runPromise(createSampleWorkspace)
          const asAda = CurrentUser.provide(UserId.make(workspace.ada))
          await core.runtime.runPromise(addRows(workspace).pipe(asAda))
          const before = await core.runtime.runPromise(organizationsOfRows(store.adapter()))
          for (const { name: table } of transferredTables) {
            store.failOn(table)
            const exit = await core.runtime.runPromise(Effect.exit(transfer(workspace).pipe(asAda)))
            expect(Exit.isFailure(exit), table).toBe(true)
            expect(await core.runtime.runPromise(organizationsOfRows(store.adapter())), table).toEqual(before)
          }
          store.failOn(undefined)
          await core.runtime.runPromise(transfer(workspace).pipe(asAda))
          const counts = await core.runtime.runPromise(countAgreements(store.adapter()))
          const expected = Object.fromEntries(
            [...before].map(([table, { length }]) => [table, { same: length, other: 0 }])
          )
          expect(counts).toEqual(expected)
          const after = await core.runtime.runPromise(organizationsOfRows(store.adapter()))
          for (const [table, rows] of after) {
            const moved = rows.filter(({ organization }) => organization === workspace.otherOrganization)
            expect(moved.length, `the sample has no row of ${table}`).toBeGreaterThan(0)
          }
          expect(await core.runtime.runPromise(findings)).toEqual([])
        } finally {
          await core.close()
        }
      })
    }
  })
}
