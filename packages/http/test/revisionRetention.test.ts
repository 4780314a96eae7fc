/** Retention of revisions: old ones are removed, and the others read the same. */
import {
  ChangeRequests,
  Comments,
  Content,
  CurrentUser,
  Doctor,
  RevisionRetention,
  Revisions,
  SpaceId,
  tables,
  UserId
} from "@lectern/core"
import { allRecords, runs } from "@lectern/harness"
import { makeCoreApi } from "@lectern/testkit/model"
import { Clock, Effect, Layer, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ruleStores } from "./stores.ts"
import { PassTime, type Row, rowsOf } from "./support/randomOperations/choices.ts"
import { performSteps, randomSteps } from "./support/randomOperations/randomOperations.ts"
import { createSampleWorkspace, type SampleWorkspace } from "./support/sampleWorkspace.ts"

const day = 24 * 60 * 60 * 1000
const retentionMs = 10 * day

interface StoredRevision extends Row {
  readonly space: string
  readonly parents: ReadonlyArray<string>
  readonly createdAt: string
}

const findRevisions = Effect.map(rowsOf("revisions"), (rows) => rows as ReadonlyArray<StoredRevision>)

/** Tables whose strings can be equal to an id without referring to it. */
const ignoredTables = new Set(["revisions", "events", "outboxEvents", "idempotencyKeys"])

/** The revisions whose id is the value of any column of any row. */
const findReferenced = Effect.gen(function* () {
  const records = yield* allRecords
  const ids = new Set((yield* findRevisions).map(({ id }) => id))
  const found = new Set<string>()
  for (const table of tables) {
    if (ignoredTables.has(table.name)) continue
    for (const row of yield* records.find(table, {})) {
      for (const value of Object.values(row))
        if (typeof value === "string" && ids.has(value)) found.add(value)
    }
  }
  return found
})

/** Reads a revision as a member: its content, its changes and the bodies of its pages. */
const readRevision = Effect.fnUntraced(function* ({ id, space }: StoredRevision) {
  const content = yield* Content
  const named = { space: SpaceId.make(space), revision: id as never }
  const revision = yield* Effect.exit(content.getRevision({ content: named }))
  const changes = yield* Effect.exit(content.listChanges({ content: named, input: { limit: 100 } }))
  const bodies: Array<unknown> = []
  const pageIds = JSON.stringify(revision).matchAll(/"object":"page","id":"([^"]+)"/g)
  for (const [, page] of pageIds) {
    bodies.push(
      yield* Effect.exit(
        content.getPage({ content: named, page: page as never, input: { format: "markdown" } })
      )
    )
  }
  return JSON.stringify({ revision, changes, bodies })
})

const readAll = Effect.fnUntraced(function* ({ ada }: SampleWorkspace, all: ReadonlyArray<StoredRevision>) {
  const read = new Map<string, string>()
  for (const row of all) read.set(row.id, yield* CurrentUser.provide(UserId.make(ada))(readRevision(row)))
  return read
})

const findings = Effect.flatMap(Doctor, (doctor) =>
  Effect.map(Stream.runCollect(doctor.findings), (all) =>
    all.map(({ check, table, row, message }) => `${check}: ${table} ${row} ${message}`)
  )
)

/** Removes old revisions and their content, and compares the reads of the others. Returns the number of removed revisions. */
const expireAndCompare = Effect.fnUntraced(function* (
  core: ReturnType<typeof makeCoreApi>,
  workspace: SampleWorkspace
) {
  const now = yield* Clock.currentTimeMillis
  const before = yield* findRevisions
  const referenced = yield* findReferenced
  const needed = before.filter(
    ({ id, createdAt }) => Date.parse(createdAt) >= now - retentionMs || referenced.has(id)
  )
  const remaining = new Set(needed.flatMap(({ id, parents }) => [id, ...parents]))
  const reads = yield* readAll(workspace, needed)

  const content = yield* Content
  const removed = yield* content.expireRevisions
  expect(yield* content.expireRevisions).toBe(0)
  yield* Effect.promise(() => core.advance(2 * day))
  yield* content.sweep
  const after = yield* findRevisions
  expect(new Set(after.map(({ id }) => id))).toEqual(remaining)
  expect(removed).toBe(before.length - after.length)
  expect(yield* readAll(workspace, needed)).toEqual(reads)
  // Revisions that remain as a parent have their content, too.
  expect(yield* findings).toEqual([])

  const { restore } = yield* Revisions
  const [gone] = before.filter(({ id }) => !remaining.has(id))
  if (gone === undefined) return removed
  const restored = yield* Effect.exit(
    CurrentUser.provide(UserId.make(workspace.ada))(
      restore({ content: { space: SpaceId.make(gone.space) }, revision: gone.id as never })
    )
  )
  expect(restored._tag).toBe("Failure")
  return removed
})

/** Edits one page daily for 40 days, and refers to some of the old revisions in the ways that users do. */
const editDaily = Effect.fnUntraced(function* (
  core: ReturnType<typeof makeCoreApi>,
  { space: id }: SampleWorkspace
) {
  const content = yield* Content
  const space = SpaceId.make(id)
  const edit = (changes: ReadonlyArray<unknown>, changeRequest?: string) =>
    content.edit({
      content: { space, ...(changeRequest === undefined ? {} : { changeRequest: changeRequest as never }) },
      input: { changes: changes as never }
    })
  const textOf = (edited: number) =>
    Array.from({ length: 200 }, (_, index) =>
      index === edited * 3 ? `edited${edited}` : `word${index * 7919}`
    ).join(" ")
  const insert = (title: string, markdown: string) => ({
    operation: "insert_page",
    title,
    document: { markdown }
  })
  const { changes } = yield* edit([insert("Edited", textOf(0)), insert("Deleted", "Text.")])
  const [page, deleted] = changes.flatMap((change) =>
    "page" in change && typeof change.page === "object" ? [change.page.id] : []
  )
  for (let edited = 1; edited <= 40; edited++) {
    yield* Effect.promise(() => core.advance(day))
    yield* edit([{ operation: "update_page", page, document: { markdown: textOf(edited) } }])
    if (edited === 8) {
      yield* (yield* Comments).create({
        target: { space },
        input: { body: { markdown: "Why?" }, page } as never
      })
    } else if (edited === 12) {
      yield* edit([{ operation: "delete_page", page: deleted }])
    } else if (edited === 16) {
      const request = yield* (yield* ChangeRequests).create({ space, input: {} })
      yield* edit([{ operation: "update_page", page, document: { markdown: textOf(50) } }], request.id)
    }
  }
})

describe("retention of revisions", () => {
  for (const { name, make } of ruleStores) {
    it(`retains what comments, archived pages and change requests refer to, on ${name}`, async () => {
      const storage = Layer.merge(await make(), Layer.succeed(RevisionRetention, retentionMs))
      const core = makeCoreApi(storage)
      const program = Effect.gen(function* () {
        const workspace = yield* createSampleWorkspace
        yield* CurrentUser.provide(UserId.make(workspace.ada))(editDaily(core, workspace))
        expect(yield* expireAndCompare(core, workspace)).toBeGreaterThan(20)
      })
      try {
        await core.runtime.runPromise(
          Effect.provideService(program, Clock.Clock, core.clock) as Effect.Effect<void>
        )
      } finally {
        await core.close()
      }
    })

    it(`removes old revisions that nothing refers to, and the others read the same, on ${name}`, async () => {
      let removedInAll = 0
      await fc.assert(
        fc.asyncProperty(randomSteps(60), randomSteps(30), async (earlier, later) => {
          const storage = Layer.merge(await make(), Layer.succeed(RevisionRetention, retentionMs))
          const core = makeCoreApi(storage)
          const perform = (workspace: SampleWorkspace, steps: typeof earlier) =>
            Effect.provideService(performSteps(workspace, steps), PassTime, (millis) =>
              Effect.promise(() => core.advance(millis))
            )
          const program = Effect.gen(function* () {
            const workspace = yield* createSampleWorkspace
            yield* perform(workspace, earlier)
            yield* Effect.promise(() => core.advance(retentionMs + day))
            yield* perform(workspace, later)

            removedInAll += yield* expireAndCompare(core, workspace)
          })
          try {
            await core.runtime.runPromise(
              Effect.provideService(program, Clock.Clock, core.clock) as Effect.Effect<void>
            )
          } finally {
            await core.close()
          }
        }),
        runs(name === "memory" ? 6 : 2)
      )
      expect(removedInAll).toBeGreaterThan(0)
    })
  }
})
