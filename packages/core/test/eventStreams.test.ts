/** Streams of events: each receives every event of its organization, in order, and costs nothing while others have events. */
import {
  createWorkspace,
  EventLog,
  type EventRow,
  OrganizationId,
  RecordsAdapter,
  StorageUnavailable
} from "@lectern/core"
import { runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Fiber, Layer, Stream } from "effect"
import * as fc from "fast-check"
import { expect, it, onTestFinished } from "vitest"

/** A workspace with some organizations, whose queries of events are counted, and fail while the store is unavailable. */
const open = async (count: number) => {
  const state = { queries: 0, isUnavailable: false }
  const storage = Layer.effect(
    RecordsAdapter,
    Effect.map(
      Effect.service(RecordsAdapter),
      (adapter) =>
        ({
          ...adapter,
          find: (table, find) => {
            if (table.name !== "events") return adapter.find(table, find)
            state.queries++
            return state.isUnavailable
              ? Effect.fail(
                  new StorageUnavailable({ reason: "Unreachable", detail: "The test stops the store." })
                )
              : adapter.find(table, find)
          }
        }) satisfies RecordsAdapter["Service"]
    )
  ).pipe(Layer.provide(MemoryStorage.layer()))
  const workspace = createWorkspace({ storage })
  onTestFinished(() => workspace.dispose())
  const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organizations: Array<OrganizationId> = []
  for (let index = 0; index < count; index++) {
    const input = { title: `Organization ${index}` }
    organizations.push(
      OrganizationId.make(await workspace.administration.createOrganization({ administrator: user, input }))
    )
  }
  const ada = workspace.as(user)
  const create = (at: number) => ada.spaces.create({ organization: organizations[at]! })
  const follow = (organization: OrganizationId | undefined, after?: number) => {
    const received: Array<EventRow> = []
    const options = {
      ...(organization === undefined ? {} : { organization }),
      ...(after === undefined ? {} : { after })
    }
    const fiber = workspace.runtime.runFork(
      Effect.flatMap(EventLog, (log) =>
        Stream.runForEach(log.stream(options), (event) => Effect.sync(() => received.push(event)))
      )
    )
    return { received, fiber, stop: () => Effect.runPromise(Fiber.interrupt(fiber)) }
  }
  const readAll = () =>
    workspace.runtime.runPromise(Effect.flatMap(EventLog, (log) => log.read(0, {}, 1_000)))
  return { state, organizations, create, follow, readAll }
}

const until = async (isReached: () => boolean): Promise<void> => {
  const deadline = Date.now() + 20_000
  while (!isReached()) {
    if (Date.now() > deadline) throw new Error("An event was not received within 20 s.")
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

it("every stream receives the events of its organization once and in order, whenever it opens", async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("commit" as const), at: fc.nat(2) }),
    fc.record({ kind: fc.constant("open" as const), at: fc.nat(3) }),
    fc.record({ kind: fc.constant("close" as const), at: fc.nat(5) })
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (steps) => {
      const { organizations, create, follow, readAll } = await open(3)
      const followed: Array<ReturnType<typeof follow> & { readonly of: OrganizationId | undefined }> = []
      for (const { kind, at } of steps) {
        if (kind === "commit") await Promise.all([at, at + 1, at + 2].map((index) => create(index % 3)))
        else if (kind === "open") followed.push({ ...follow(organizations[at], 0), of: organizations[at] })
        else await followed.splice(at, 1)[0]?.stop()
      }
      const all = await readAll()
      for (const { received, of, stop } of followed) {
        const expected = all.filter(({ organization }) => of === undefined || organization === of)
        await until(() => received.length >= expected.length)
        expect(received).toEqual(expected)
        await stop()
      }
    }),
    // A missed event is only known after a deadline.
    { ...runs(20), endOnFailure: true }
  )
})

it("a commit costs as many queries with many streams of other organizations as without them", async () => {
  const { state, organizations, create, follow } = await open(2)
  const busy = follow(organizations[0], 0)
  await until(() => busy.received.length > 0)
  const queriesOf = async () => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    const [before, received] = [state.queries, busy.received.length]
    await create(0)
    await until(() => busy.received.length > received)
    await new Promise((resolve) => setTimeout(resolve, 50))
    return state.queries - before
  }
  const alone = await queriesOf()
  const others = Array.from({ length: 50 }, () => follow(organizations[1]))
  await new Promise((resolve) => setTimeout(resolve, 100))
  // The streams poll as one reader, so that at most one reading of it is in the interval.
  expect(await queriesOf()).toBeLessThanOrEqual(alone + 5)
  await create(1)
  await until(() => others.every(({ received }) => received.length > 0))
})

it("a stream fails when the store is unavailable, and one that opens later works", async () => {
  const { state, organizations, create, follow } = await open(1)
  const first = follow(organizations[0], 0)
  await until(() => first.received.length > 0)
  state.isUnavailable = true
  const exit = await Effect.runPromise(Fiber.await(first.fiber))
  expect(exit._tag).toBe("Failure")
  state.isUnavailable = false
  const second = follow(organizations[0], first.received.at(-1)!.sequence)
  await create(0)
  await until(() => second.received.length > 0)
})
