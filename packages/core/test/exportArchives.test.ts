/** Archives of exports: produced once per content, read while they are produced, bounded, and deleted without a trace. */
import {
  Blobs,
  blobs,
  ChunkedBlobs,
  chunkedBlobs,
  ExportArchives,
  type ExportDownload,
  ExportLimits,
  type ExportLimitsSettings,
  Ids,
  OrganizationId,
  Records,
  type RequestedArchive,
  tables,
  Where
} from "@lectern/core"
import { ContentStore } from "@lectern/core/content"
import { allRecords, runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Clock, Deferred, Effect, Exit, Fiber, Layer, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const tableOf = (name: string) => tables.find((table) => table.name === name)!
const [acme, other] = ["acme", "other"].map((id) => OrganizationId.make(id)) as [
  OrganizationId,
  OrganizationId
]

const limits: ExportLimitsSettings = {
  concurrent: 2,
  unfinished: 4,
  unfinishedPerOrganization: 2,
  storedPerOrganization: 3,
  storedMillis: 60_000,
  waitMillis: 20_000,
  graceMillis: 20
}

const chunkSize = 4
const base = Layer.mergeAll(Blobs.layer, Ids.layer).pipe(
  Layer.provideMerge(Records.layer),
  Layer.provide(MemoryStorage.layer())
)
/** Content whose files have small chunks. */
const content = Layer.effect(
  ContentStore,
  Effect.map(Effect.all([ContentStore, ChunkedBlobs]), ([store, files]) =>
    ContentStore.of({ ...store, files })
  )
).pipe(Layer.provide([ContentStore.layer, ChunkedBlobs.layerOf(chunkSize)]))

const services = ExportArchives.layer.pipe(
  Layer.provide(Layer.succeed(ExportLimits, limits)),
  Layer.provide(content),
  Layer.provideMerge(base)
)

type Services = Layer.Success<typeof services>

const check = <A, E>(effect: Effect.Effect<A, E, Services>) =>
  Effect.runPromise(
    Effect.provide(
      Effect.gen(function* () {
        const records = yield* allRecords
        for (const id of [acme, other]) {
          yield* records.insert(tableOf("organizations"), organizationRow(id))
        }
        return yield* effect
      }),
      services,
      { local: true }
    )
  )

/** A row of an organization, with the values of columns that no test reads. */
const organizationRow = (id: string) => {
  const table = tableOf("organizations")
  return Object.fromEntries(
    Object.entries(table.columns).map(([name, { kind, nullable }]) => [
      name,
      name === "id" ? id : nullable ? null : kind === "text" ? id : kind === "boolean" ? false : 0
    ])
  )
}

/** An archive that is produced part by part, when the test lets it, and counts its productions. */
const controlled = (name: string, organization = acme, parts = 3) => {
  const gates = Array.from({ length: parts }, () => Deferred.makeUnsafe<void>())
  let productions = 0
  const bytes = Buffer.from(Array.from({ length: parts }, (_, at) => `${name}${at}`.padEnd(7, ".")).join(""))
  const requested: RequestedArchive = {
    organization,
    content: [name],
    archive: Effect.sync(() => {
      productions++
      return Stream.fromIterable(gates).pipe(
        Stream.rechunk(1),
        Stream.mapEffect((gate, index) =>
          Effect.as(Deferred.await(gate), new Uint8Array(bytes.subarray(index * 7, index * 7 + 7)))
        )
      )
    })
  }
  return {
    requested,
    bytes,
    productions: () => productions,
    open: (count = parts) =>
      Effect.sync(() => {
        for (const gate of gates.slice(0, count)) Deferred.doneUnsafe(gate, Exit.void)
      })
  }
}

const readAll = Effect.fnUntraced(function* (download: ExportDownload) {
  if ("busy" in download) return yield* Effect.die(new Error(`The limit of the ${download.busy} is reached.`))
  return Buffer.concat(yield* Stream.runCollect(download.stream))
})

const getAndRead = (requested: RequestedArchive) =>
  Effect.flatMap(
    Effect.flatMap(ExportArchives, ({ get }) => get(requested)),
    readAll
  )

const countRows = Effect.gen(function* () {
  const records = yield* allRecords
  const count = (table: Parameters<typeof records.count>[0]) => records.count(table, Where.all)
  return [yield* count(tableOf("exportArchives")), yield* count(blobs), yield* count(chunkedBlobs)]
})

const untilNothingIsStored = Effect.gen(function* () {
  for (let attempt = 0; attempt < 200; attempt++) {
    const rows = yield* countRows
    if (rows.every((count) => count === 0)) return
    yield* Effect.sleep("10 millis")
  }
  expect(yield* countRows).toEqual([0, 0, 0])
})

describe("the archive of an export", () => {
  it("is produced once for concurrent and later downloads, and then has a length", () =>
    check(
      Effect.gen(function* () {
        const archive = controlled("a")
        const reading = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 5 }, () => getAndRead(archive.requested)),
            { concurrency: "unbounded" }
          )
        )
        yield* Effect.sleep("20 millis")
        yield* archive.open()
        for (const bytes of yield* Fiber.join(reading)) expect(bytes).toEqual(archive.bytes)
        const later = yield* (yield* ExportArchives).get(archive.requested)
        expect("busy" in later ? undefined : later.stored?.file.size).toBe(archive.bytes.length)
        expect(yield* readAll(later)).toEqual(archive.bytes)
        expect(archive.productions()).toBe(1)
      })
    ))

  it("is readable while it is produced, and no slow download delays others", () =>
    check(
      Effect.gen(function* () {
        const archive = controlled("a")
        yield* archive.open(2)
        const slow = yield* (yield* ExportArchives).get(archive.requested)
        if ("busy" in slow || slow.stored !== undefined)
          return expect.fail("It is complete before its last part.")
        const first = yield* Stream.runCollect(Stream.take(slow.stream, 2))
        expect(Buffer.concat(first)).toEqual(archive.bytes.subarray(0, 2 * chunkSize))
        yield* archive.open()
        expect(yield* getAndRead(archive.requested)).toEqual(archive.bytes)
        expect(archive.productions()).toBe(1)
      })
    ))

  it("leaves nothing if its only download ends early, or its production fails", () =>
    check(
      Effect.gen(function* () {
        const archive = controlled("a")
        yield* archive.open(2)
        const download = yield* (yield* ExportArchives).get(archive.requested)
        if ("busy" in download || download.stored !== undefined)
          return expect.fail("It is complete before its last part.")
        yield* Stream.runDrain(Stream.take(download.stream, 1))
        yield* untilNothingIsStored
        const failing = { ...archive.requested, content: ["b"], archive: Effect.die(new Error("broken")) }
        expect(Exit.isFailure(yield* Effect.exit(getAndRead(failing)))).toBe(true)
        yield* untilNothingIsStored
        yield* archive.open()
        expect(yield* getAndRead(archive.requested)).toEqual(archive.bytes)
      })
    ))

  it("is rejected beyond the limits of the organization and of all, which do not block others", () =>
    check(
      Effect.gen(function* () {
        const { get } = yield* ExportArchives
        const names = ["a", "b", "c"]
        const own = names.map((name) => controlled(name))
        const waiting = yield* Effect.forEach(own.slice(0, 2), ({ requested }) =>
          Effect.forkChild(getAndRead(requested))
        )
        yield* Effect.sleep("20 millis")
        expect(yield* get(own[2]!.requested)).toEqual({ busy: "organization" })
        const theirs = controlled("d", other)
        yield* theirs.open()
        expect(yield* getAndRead(theirs.requested)).toEqual(theirs.bytes)
        yield* Effect.forEach(own, ({ open }) => open())
        for (const fiber of waiting) yield* Fiber.join(fiber)
        expect(own.map(({ productions }) => productions())).toEqual([1, 1, 0])
      })
    ))

  it("is deleted with its bytes when it expires, and beyond the number of an organization", () =>
    check(
      Effect.gen(function* () {
        const { get, purge } = yield* ExportArchives
        for (const name of ["a", "b", "c", "d", "e"]) {
          const archive = controlled(name)
          yield* archive.open()
          expect(yield* getAndRead(archive.requested)).toEqual(archive.bytes)
          yield* Effect.sleep("2 millis")
        }
        expect((yield* countRows)[0]).toBe(limits.storedPerOrganization)
        yield* purge
        expect((yield* countRows)[0]).toBe(limits.storedPerOrganization)
        const clock = yield* Clock.Clock
        const later = { ...clock, currentTimeMillis: Effect.sync(() => Date.now() + 2 * limits.storedMillis) }
        yield* Effect.provideService(purge, Clock.Clock, later)
        yield* untilNothingIsStored
        const again = controlled("e")
        yield* again.open()
        expect("busy" in (yield* get(again.requested))).toBe(false)
      })
    ))

  it("is complete for every download that is not aborted, in any interleaving", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            content: fc.constantFrom("a", "b"),
            /** After how many chunks the download is aborted; it is not beyond 5. */
            chunks: fc.integer({ min: 0, max: 8 }),
            pause: fc.integer({ min: 0, max: 3 })
          }),
          { minLength: 1, maxLength: 8 }
        ),
        (downloads) =>
          check(
            Effect.gen(function* () {
              const archives = new Map(["a", "b"].map((name) => [name, controlled(name)]))
              const read = ({ content, chunks, pause }: (typeof downloads)[number]) =>
                Effect.gen(function* () {
                  yield* Effect.sleep(pause)
                  const { requested, bytes } = archives.get(content)!
                  const download = yield* (yield* ExportArchives).get(requested)
                  if (chunks > 5 || "busy" in download) {
                    return expect(yield* readAll(download)).toEqual(bytes)
                  }
                  const some = Buffer.concat(yield* Stream.runCollect(Stream.take(download.stream, chunks)))
                  expect(some).toEqual(bytes.subarray(0, some.length))
                })
              const reading = yield* Effect.forkChild(
                Effect.forEach(downloads, read, { concurrency: "unbounded" })
              )
              for (const count of [1, 2, 3]) {
                yield* Effect.sleep(1)
                for (const { open } of archives.values()) yield* open(count)
              }
              yield* Fiber.join(reading)
              const isKept = downloads.some(({ chunks }) => chunks > 5)
              if (!isKept) return
              for (const { productions } of archives.values()) expect(productions()).toBeLessThanOrEqual(2)
            })
          )
      ),
      runs(20)
    ))
})
