/** Large work: what it reads and writes is proportional to its size, and it regularly returns to the event loop. Counts, not times. */
import { BackgroundWork, RecordsAdapter } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Clock, Effect, Layer } from "effect"
import { expect, it, onTestFinished } from "vitest"
import { serveSite, startImportWorkspace } from "./support/imports.ts"
import { archiveOf } from "./support/repositories.ts"

/** The maximum number of changes of a batch. */
const batchSize = 50

/** The maximum number of rows in one event-loop tick: the rows of a few statements. */
const maximumRowsPerTurn = 1_500

/** Statements, and the rows that they read or write. */
interface Counts {
  statements: number
  rows: number
  /** The maximum number of rows in one event-loop tick. */
  rowsPerTurn: number
}

/** Wraps a store with counters. */
const countUses = (storage: Layer.Layer<RecordsAdapter, unknown>) => {
  const counts: Counts = { statements: 0, rows: 0, rowsPerTurn: 0 }
  let inTurn = 0
  let timer = setImmediate(function next() {
    inTurn = 0
    timer = setImmediate(next)
  })
  onTestFinished(() => clearImmediate(timer))
  const add = (rows: number) => {
    counts.statements++
    counts.rows += rows
    inTurn += rows
    counts.rowsPerTurn = Math.max(counts.rowsPerTurn, inTurn)
  }
  const layer = Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) =>
      RecordsAdapter.of({
        ...adapter,
        find: (...parameters) =>
          Effect.tap(adapter.find(...parameters), (rows) => Effect.sync(() => add(rows.length))),
        insert: (table, rows, options) =>
          Effect.suspend(() => {
            add(rows.length)
            return adapter.insert(table, rows, options)
          }),
        insertMissing: (table, rows, options) =>
          Effect.suspend(() => {
            add(rows.length)
            return adapter.insertMissing(table, rows, options)
          }),
        update: (...parameters) =>
          Effect.tap(adapter.update(...parameters), (rows) => Effect.sync(() => add(rows))),
        remove: (...parameters) =>
          Effect.tap(adapter.remove(...parameters), (rows) => Effect.sync(() => add(rows)))
      })
    )
  ).pipe(Layer.provide(storage))
  /** Returns the counts of a piece of work. */
  const during = async (work: () => Promise<unknown>): Promise<Counts> => {
    Object.assign(counts, { statements: 0, rows: 0, rowsPerTurn: 0 })
    await work()
    return { ...counts }
  }
  return { layer, during }
}

const textOf = (page: number, version: number) =>
  `# Heading ${page}\n\nText ${page} of version ${version} with [a link](https://example.com/${page}).\n\n- an item\n`

const open = async () => {
  const { layer, during } = countUses(MemoryStorage.layer())
  const opened = await startImportWorkspace(layer)
  const { call, space, server } = opened
  await call("PATCH", `/spaces/${space}`, { editMode: "live" })
  const drain = () =>
    server.core.runtime.runPromise(
      Effect.provideService(
        Effect.flatMap(BackgroundWork, (work) => work.drain),
        Clock.Clock,
        server.core.clock
      )
    )
  const change = async (changes: ReadonlyArray<object>, content = `/spaces/${space}/content`) => {
    const ids: Array<string> = []
    for (let at = 0; at < changes.length; at += batchSize) {
      const body = { changes: changes.slice(at, at + batchSize) }
      // The response of a change request does not list the pages.
      const edited = await call<{ changes?: ReadonlyArray<{ page: { id: string } }> }>("POST", content, body)
      ids.push(...(edited.changes ?? []).map(({ page }) => page.id))
    }
    return ids
  }
  const insert = (count: number) =>
    change(
      Array.from({ length: count }, (_, page) => ({
        operation: "insert_page",
        title: `Page ${page}`,
        document: { markdown: textOf(page, 0) }
      }))
    )
  return { ...opened, during, drain, change, insert }
}

/** Compares work with work of twice the size. */
const expectLinear = async (sizes: ReadonlyArray<number>, use: (size: number) => Promise<Counts>) => {
  const all: Array<Counts> = []
  for (const size of sizes) all.push(await use(size))
  for (const [index, { statements, rows, rowsPerTurn }] of all.entries()) {
    expect(rowsPerTurn).toBeLessThan(maximumRowsPerTurn)
    const before = all[index - 1]
    if (before === undefined) continue
    const growth = sizes[index]! / sizes[index - 1]!
    // It depends on the size of batches, and not on that of the work.
    expect(rowsPerTurn / before.rowsPerTurn).toBeLessThan(1.5)
    expect(rows / before.rows).toBeLessThan(growth * 1.15)
    expect(statements / before.statements).toBeLessThan(growth * 1.15)
  }
}

it("inserts pages in batches in linear time", () =>
  expectLinear([250, 500, 1_000], async (size) => {
    const { during, insert } = await open()
    return during(() => insert(size))
  }))

it("merges a change request in time that is linear in the number of its changed pages", () =>
  expectLinear([500, 1_000], async (size) => {
    const { during, insert, change, call, space } = await open()
    const pages = await insert(size)
    const { id } = await call<{ id: string }>("POST", `/spaces/${space}/change-requests`, {})
    await change(
      pages.map((page, index) => ({
        operation: "update_page",
        page,
        document: { markdown: textOf(index, 1) }
      })),
      `/spaces/${space}/change-requests/${id}/content`
    )
    return during(() => call("POST", `/spaces/${space}/change-requests/${id}/merge`))
  }))

it("imports an archive in linear time", () =>
  expectLinear([500, 1_000], async (size) => {
    const { during, drain, call, organization, space } = await open()
    const files = Object.fromEntries(
      Array.from({ length: size }, (_, page) => [`section-${page % 20}/p${page}.md`, textOf(page, 0)])
    )
    const site = await serveSite({ "/docs.zip": { type: "application/zip", body: archiveOf(files) } })
    const path = `/org/${organization}/imports`
    const input = { source: { type: "zip", url: `${site.url}/docs.zip` }, target: { space } }
    const { id } = await call<{ id: string }>("POST", path, input)
    const counts = await during(drain)
    expect(await call("GET", `${path}/${id}`)).toMatchObject({ status: "completed", importedResources: size })
    return counts
  }))

it("reads and writes as many rows for an edit in a large space as in a small one", async () => {
  const { during, insert, change } = await open()
  const used: Array<number> = []
  for (const count of [100, 900]) {
    const [page] = await insert(count)
    const edit = (version: number) =>
      change([{ operation: "update_page", page, document: { markdown: textOf(0, version) } }])
    await edit(1)
    used.push((await during(() => edit(2))).rows)
  }
  // The path of a page in the map of the content can be one node longer.
  expect(used[1]! - used[0]!).toBeLessThanOrEqual(2)
})
