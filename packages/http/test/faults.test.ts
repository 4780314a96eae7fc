import { RecordsAdapter } from "@lectern/core"
import { Atomicity, runs } from "@lectern/harness"
import { callOperations, operations } from "@lectern/harness/operations"
import { Fault } from "@lectern/testkit"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { type Asked, bodyOf, makeWorld, sceneHostOf, tryWork } from "./support/faultyWorld.ts"

/** How sending an operation again differs from sending it once, as its row has it. */
const repetition = (again: string): string => again.replace(/^(\d+) .*/, "$1")

it("every operation is atomic, whichever of its steps fails, and has the result of its row when it is repeated", async () => {
  const world = await makeWorld()
  const found: Array<string> = []
  const again: Record<string, string> = {}
  let tried = 0
  /** Each step meets one kind of fault after the other; in long runs, all of them. */
  const rounds = Math.min(Atomicity.faultKinds.length, runs(1).numRuns)
  const kindsAt = ({ kind, number }: Fault.Step): ReadonlyArray<Atomicity.FaultKind> =>
    kind === "response"
      ? ["fail", "interrupt"]
      : Array.from(
          { length: rounds },
          (_, round) => Atomicity.faultKinds[(tried + number + round) % Atomicity.faultKinds.length]!
        )
  const host = {
    ...sceneHostOf(world),
    work: async () => {
      const trials = await tryWork(
        world,
        ({ number }) => Atomicity.faultKinds[number % Atomicity.faultKinds.length]!
      )
      tried += trials.tried
      found.push(...trials.violations)
    }
  }
  try {
    await callOperations(host, async ({ id }, { method, address, body }) => {
      const trials = await Atomicity.tryEachFault(world, world.ask({ method, path: address, body }), kindsAt)
      tried += trials.faultCount
      for (const violation of trials.violations) found.push(`${id} ${method} ${address}: ${violation}`)
      // What it would be to do it twice is known of those alone that succeed.
      bodyOf(trials.result)
      if (trials.retryResult !== undefined && trials.retryResult !== "same")
        again[id] = repetition(trials.retryResult)
    })
    expect(await world.findings()).toEqual([])
  } finally {
    await world.close()
  }
  expect(found).toEqual([])
  // Every step of every operation: should it be fewer, they were not tried.
  expect(tried).toBeGreaterThan(1_700)
  expect(again).toEqual(
    Object.fromEntries(
      operations.flatMap(({ id, repeated }) => (repeated === undefined ? [] : [[id, repeated]]))
    )
  )
})

/** Operations that write more than one row. */
const asked = (organization: string): ReadonlyArray<Asked> => [
  { method: "POST", path: `/v1/orgs/${organization}/spaces`, body: {} },
  { method: "POST", path: `/v1/orgs/${organization}/sites`, body: { title: "Docs", spaces: "new" } },
  { method: "PUT", path: `/v1/orgs/${organization}/openapi/api`, body: { source: { text: "{}" } } }
]

/** What the law says of an operation where what is between the workspace and its store is broken on purpose. */
const ofBroken = async (
  breakIt: (adapter: RecordsAdapter["Service"]) => Partial<RecordsAdapter["Service"]>
) => {
  const world = await makeWorld(undefined, {
    breakIt: (storage) =>
      Layer.effect(
        RecordsAdapter,
        Effect.map(RecordsAdapter, (adapter) => RecordsAdapter.of({ ...adapter, ...breakIt(adapter) }))
      ).pipe(Layer.provide(storage))
  })
  try {
    const all: Array<string> = []
    for (const each of asked(world.organization)) {
      all.push((await Atomicity.tryEachFault(world, world.ask(each), () => ["fail"])).violations.join("\n"))
    }
    return all
  } finally {
    await world.close()
  }
}

describe("the law notices, in each operation that writes,", () => {
  it("transactions that are none", async () => {
    for (const found of await ofBroken(() => ({ transaction: (self) => self }))) {
      expect(found).toMatch(/left a partial effect/)
    }
  })

  it("transactions that are tried again when it is not known whether they were committed", async () => {
    const found = await ofBroken(({ transaction }) => ({
      transaction: (self) =>
        Effect.catchIf(
          transaction(self),
          (error) => (error as { readonly _tag?: string })._tag === "StorageUnavailable",
          () => transaction(self)
        )
    }))
    for (const one of found) expect(one).toMatch(/fail at step \d+ \(response\)/)
  })

  it("failures that are kept quiet about", async () => {
    const found = await ofBroken(({ insert }) => ({
      insert: (table, rows) => Effect.catchTag(insert(table, rows), "StorageUnavailable", () => Effect.void)
    }))
    // The store does not commit such a transaction: the operations bear even that.
    expect(found).toEqual(["", "", ""])
    const dying = await ofBroken(({ find }) => ({
      find: (table, options) => Effect.orDie(find(table, options))
    }))
    for (const one of dying) expect(one).toMatch(/ended with "broken: 500/)
  })
})

it("what is read is answered though the use of the token cannot be noted", async () => {
  const world = await makeWorld()
  try {
    const read = world.ask({ method: "GET", path: "/v1/user" })
    world.advance(24 * 60 * 60_000)
    world.storage.inject(Fault.fail(Fault.at.verb("update", "apiTokens")))
    expect((await Atomicity.runToEnd(world, read)).outcome).toBe("done")
    expect(world.storage.countPendingFaults()).toBe(0)
  } finally {
    await world.close()
  }
})

it("a secret that was made in a transaction that is undone is not used by the next", async () => {
  const world = await makeWorld(undefined, { makesItsSecret: true })
  try {
    const publish = world.ask({
      method: "POST",
      path: "/v1/integrations/example",
      body: {
        organization: world.organization,
        title: "Example",
        description: "",
        script: "x",
        scopes: [],
        // Both are encrypted by the workspace's secret: the second finds what was made for the first.
        secrets: { one: "value", two: "value" }
      }
    })
    world.storage.inject(Fault.fail(Fault.at.commit))
    expect((await Atomicity.runToEnd(world, publish)).outcome).toBe("unavailable")
    expect((await world.readContents()).get("secrets")).toEqual([])
    expect((await Atomicity.runToEnd(world, publish)).outcome).toBe("done")
    expect((await world.readContents()).get("secrets")).toHaveLength(1)
  } finally {
    await world.close()
  }
})
