/** The removal of organizations: all of their rows are removed, and the rows of others are unchanged, also if the purge is killed. */
import {
  Administration,
  Content,
  CurrentUser,
  Doctor,
  Installations,
  OrganizationPurge,
  Organizations,
  type PlainRow,
  type Records,
  RecordsAdapter,
  StorageUnavailable,
  type Table,
  tables,
  UserId
} from "@lectern/core"
import { runs } from "@lectern/harness"
import { makeCoreApi } from "@lectern/testkit/model"
import { Clock, Effect, Layer, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ruleStores } from "./stores.ts"
import { PassTime } from "./support/randomOperations/choices.ts"
import { performSteps, randomSteps } from "./support/randomOperations/randomOperations.ts"
import { createSampleOrganizations, type SampleWorkspace } from "./support/sampleWorkspace.ts"

const day = 24 * 60 * 60 * 1000

type Needed =
  | Effect.Services<ReturnType<typeof createSampleOrganizations>>
  | Exclude<Effect.Services<ReturnType<typeof performSteps>>, CurrentUser | PassTime>
  | Content
  | Doctor
  | Installations
  | OrganizationPurge
  | Organizations
  | Records

/** Kills the process at a removal: before or after the store has executed it. */
interface Kill {
  readonly removals: number
  readonly isAfter: boolean
}

/** A store whose removals count down to a kill. */
const makeStoppableStore = (storage: Layer.Layer<RecordsAdapter, unknown>) => {
  let next: Kill | undefined
  let largest = 0
  let count = 0
  const adapters: Array<RecordsAdapter["Service"]> = []
  const died = new StorageUnavailable({ reason: "Unreachable", detail: "The process was killed." })
  const layer = Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter): RecordsAdapter["Service"] => {
      adapters.push(adapter)
      return {
        ...adapter,
        remove: (table, where, options) => {
          if (next === undefined) return adapter.remove(table, where, options)
          count++
          const isLast = count > next.removals
          if (isLast && !next.isAfter) return Effect.fail(died)
          return Effect.flatMap(adapter.remove(table, where, options), (removed) => {
            largest = Math.max(largest, removed)
            return isLast ? Effect.fail(died) : Effect.succeed(removed)
          })
        }
      }
    })
  ).pipe(Layer.provide(storage))
  return {
    layer,
    adapter: () => adapters.at(-1)!,
    killAt: (kill: Kill | undefined) => {
      next = kill
      count = 0
    },
    /** The largest number of rows that one statement has removed while kills were planned. */
    largest: () => largest
  }
}

/** All rows of all tables, by table. */
type Contents = ReadonlyMap<Table.AnyTable, ReadonlyMap<string, PlainRow>>

const serialize = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    inner instanceof Uint8Array ? Buffer.from(inner).toString("base64") : inner
  )

const readAll = Effect.fnUntraced(function* (adapter: RecordsAdapter["Service"]) {
  const all = new Map<Table.AnyTable, ReadonlyMap<string, PlainRow>>()
  for (const table of tables) {
    const rows = yield* adapter.find(table, { where: { op: "all" }, orderBy: [], direction: "asc" })
    all.set(table, new Map(rows.map((row) => [serialize(table.key.map((column) => row[column])), row])))
  }
  return all
})

/** Tables of content that organizations share, and that garbage collection removes. */
const contentTables = new Set(["blobs", "chunkedBlobs", "outlines"])

/** Whether a row of a removed organization remains: the event of its removal and older ones, and the audit record of its deletion. */
const remains = (table: Table.AnyTable, row: PlainRow): boolean =>
  table.name === "events" ||
  table.name === "outboxEvents" ||
  (table.name === "auditRecords" &&
    row.operation === "Administration.removeOrganization" &&
    row.outcome === "success")

/** Records a call that an administrator of another organization, or a member, has made in vain. */
const insertAuditRecord = (
  adapter: RecordsAdapter["Service"],
  row: {
    readonly id: string
    readonly organization: string
    readonly operation: string
    readonly outcome: string
  }
) =>
  adapter.insert(tables.find(({ name }) => name === "auditRecords")!, [
    {
      ...row,
      createdAt: "2026-01-01T00:00:00.000Z",
      actor: "member",
      token: null,
      address: "192.0.2.1",
      resources: "",
      details: {}
    }
  ])

/** Compares the rows before and after the purge of an organization. */
const expectPurged = (before: Contents, after: Contents, organization: string): void => {
  const removedIds = new Set<string>([organization])
  const removed: Array<readonly [Table.AnyTable, PlainRow]> = []
  for (const [table, rows] of before) {
    for (const [key, row] of rows) {
      if (after.get(table)!.has(key)) continue
      removed.push([table, row])
      if (typeof row.id === "string" && table.key.includes("id")) removedIds.add(row.id)
    }
  }
  const changed: Array<string> = []
  for (const [table, rows] of after) {
    if (contentTables.has(table.name)) continue
    for (const [key, row] of rows) {
      if (serialize(before.get(table)!.get(key)) === serialize(row)) continue
      if (!remains(table, row)) changed.push(`${table.name} ${serialize(row)}`)
    }
  }
  expect(changed).toEqual([])
  // Every removed row belongs to the organization: by its column, by a reference, or by the payload of a job.
  const foreign = removed.filter(([table, row]) => {
    if (contentTables.has(table.name)) return false
    const references = Object.keys(table.references).map((column) => row[column])
    const ids = [
      row.id,
      row.organization,
      row.integration,
      ...references,
      ...(serialize(row.payload ?? "").match(/\w{20,}/g) ?? [])
    ]
    const isNamed = ids.some((id) => typeof id === "string" && id !== row.id && removedIds.has(id))
    return !isNamed && row.id !== organization
  })
  expect(foreign.map(([{ name }, row]) => `${name} ${serialize(row)}`)).toEqual([])
  // No other row names the organization, or anything that was a part of it.
  const left: Array<string> = []
  for (const [table, rows] of after) {
    if (contentTables.has(table.name)) continue
    for (const row of rows.values()) {
      if (remains(table, row)) continue
      const text = serialize(row)
      const named = [...removedIds].find((id) => text.includes(JSON.stringify(id).slice(1, -1)))
      if (named !== undefined) left.push(`${table.name} names ${named}: ${text}`)
    }
  }
  expect(left).toEqual([])
}

const findings = Effect.gen(function* () {
  const all = yield* Stream.runCollect((yield* Doctor).findings)
  return all.map(({ check, table, row, message }) => `${check}: ${table} ${row} ${message}`)
})

/** Stores a file with this text, and returns nothing. */
const insertFile = ({ ada, space }: SampleWorkspace, text: string) =>
  Effect.flatMap(Content, (content) =>
    content.edit({
      content: { space },
      input: {
        changes: [
          {
            operation: "insert_files",
            files: [
              { name: "own.txt", contentType: "text/plain", base64: Buffer.from(text).toString("base64") }
            ]
          }
        ] as never
      }
    })
  ).pipe(CurrentUser.provide(UserId.make(ada)))

/** The hash of a blob with this text. */
const hashOf = async (text: string): Promise<string> =>
  Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toString("base64url")

const storedHashes = (adapter: RecordsAdapter["Service"]) =>
  Effect.map(readAll(adapter), (all) => {
    const blobs = [...all].find(([{ name }]) => name === "blobs")![1]
    return new Set([...blobs.values()].map(({ hash }) => hash as string))
  })

describe("a removed organization leaves no rows, and the rows of others are unchanged", () => {
  for (const { name, make } of ruleStores) {
    it(`after a purge that is killed repeatedly, on ${name}`, { timeout: 300_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(
          randomSteps(60),
          randomSteps(60),
          fc.array(fc.record({ removals: fc.nat(40), isAfter: fc.boolean() }), {
            minLength: 1,
            maxLength: 6
          }),
          async (steps, otherSteps, kills) => {
            const store = makeStoppableStore(await make())
            const core = makeCoreApi(store.layer)
            const run = <A, E>(effect: Effect.Effect<A, E, Needed>): Promise<A> =>
              core.runtime.runPromise(
                Effect.provideService(effect, Clock.Clock, core.clock) as Effect.Effect<A, E, never>
              )
            try {
              const one = await run(
                createSampleOrganizations({
                  ada: "ada@example.com",
                  bob: "bob@example.com",
                  integration: "one"
                })
              )
              const other = await run(
                createSampleOrganizations({
                  ada: "eve@example.com",
                  bob: "joe@example.com",
                  integration: "other"
                })
              )
              const { organization } = one
              const advance = (millis: number) => core.advance(millis)
              const passTime = (millis: number) => Effect.promise(async () => advance(millis))
              await run(Effect.provideService(performSteps(one, steps), PassTime, passTime))
              await run(Effect.provideService(performSteps(other, otherSteps), PassTime, passTime))
              await run(insertFile(one, "only here"))
              await run(insertFile(one, "in both"))
              await run(insertFile(other, "in both"))
              // More rows of one table than a statement may remove.
              const counted = tables.find((table) => table.name === "siteEventCounts")!
              await run(
                store.adapter().insert(
                  counted,
                  Array.from({ length: 450 }, (_, number) => ({
                    organization,
                    site: one.site,
                    day: "2026-01-01",
                    type: "page_view",
                    page: `page ${number}`,
                    path: "",
                    count: 1
                  }))
                )
              )
              // Members of both, and an integration of the removed organization that the other has installed.
              const administration = await run(Effect.flatMap(Administration, Effect.succeed))
              await run(
                administration.setMember({
                  organization: other.organization as never,
                  user: one.ada as never,
                  input: { role: "edit" }
                })
              )
              await run(
                Effect.flatMap(Installations, (installations) =>
                  installations.create({
                    integration: "one" as never,
                    input: { organization: other.organization } as never
                  })
                ).pipe(CurrentUser.provide(UserId.make(other.ada)))
              )
              await run(
                insertAuditRecord(store.adapter(), {
                  id: "0-earlier",
                  organization,
                  operation: "Organizations.remove",
                  outcome: "success"
                })
              )
              await run(administration.removeOrganization({ organization: organization as never }))
              for (const operation of ["Organizations.remove", "Organizations.restore"]) {
                const denied = { id: `zz-${operation}`, organization, operation, outcome: "denied" }
                await run(insertAuditRecord(store.adapter(), denied))
              }
              expect(await run(findings)).toEqual([])

              const { purge } = await run(Effect.flatMap(OrganizationPurge, Effect.succeed))
              await advance(30 * day - 1)
              expect(await run(purge)).toBe(0)
              await advance(1)
              const before = await run(readAll(store.adapter()))
              const restoring = administration.restoreOrganization({ organization: organization as never })
              for (const kill of kills) {
                store.killAt(kill)
                await run(Effect.exit(purge))
                // Calls of members fail with `NotFound`. A denial would leave a record.
                const asMember = Effect.flatMap(Organizations, (organizations) =>
                  Effect.flip(organizations.restore({ organization: organization as never }))
                ).pipe(CurrentUser.provide(UserId.make(one.bob)))
                expect(await run(asMember)).toMatchObject({ _tag: "NotFound" })
                // A removal that has started is not undone, also by a process whose clock is slow.
                await advance(-day)
                expect(await run(Effect.flip(restoring))).toMatchObject({ _tag: "NotFound" })
                await advance(day)
              }
              store.killAt({ removals: Number.MAX_SAFE_INTEGER, isAfter: false })
              await run(purge)
              expect(await run(purge)).toBe(0)
              store.killAt(undefined)
              expect(store.largest()).toBeLessThanOrEqual(200)
              const purged = await run(readAll(store.adapter()))
              expectPurged(before, purged, organization)
              const audited = [...purged].find(([{ name }]) => name === "auditRecords")![1]
              expect(
                [...audited.values()]
                  .filter((row) => row.organization === organization)
                  .map(({ operation, outcome }) => [operation, outcome])
              ).toEqual([["Administration.removeOrganization", "success"]])
              expect(await run(findings)).toEqual([])

              const [own, shared] = [await hashOf("only here"), await hashOf("in both")]
              expect((await run(storedHashes(store.adapter()))).has(own)).toBe(true)
              await advance(2 * day)
              await run(Effect.flatMap(Content, ({ sweep }) => sweep))
              const hashes = await run(storedHashes(store.adapter()))
              expect([hashes.has(own), hashes.has(shared)]).toEqual([false, true])
            } finally {
              await core.close()
            }
          }
        ),
        runs(name === "memory" ? 4 : 1)
      )
    })
  }
})
