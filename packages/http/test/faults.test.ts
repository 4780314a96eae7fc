/** Faults at each step of every operation and of background jobs, and tests of the atomicity test itself. */
import { RecordsAdapter } from "@lectern/core"
import { Atomicity, runs } from "@lectern/harness"
import { callOperations, operations } from "@lectern/harness/operations"
import { Fault } from "@lectern/testkit"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import {
  type ApiCall,
  bodyOf,
  createFaultyWorld,
  sceneHostOf,
  tryFaultsInJobs
} from "./support/faultyWorld.ts"

/** Operations that wait for a background job. The job has tests of its own. */
const waitingOperations: ReadonlySet<string> = new Set(["getSpacePDF", "getChangeRequestPDF"])

/** The difference between the first call and the retry, in the form of `repeated` in the table of operations. */
const retryDifference = (retryResult: string): string => retryResult.replace(/^(\d+) .*/, "$1")

it(
  "every operation is atomic under a fault at any step, and a retry has the result in the table of operations",
  async () => {
    const world = await createFaultyWorld()
    const violations: Array<string> = []
    const retryDifferences: Record<string, string> = {}
    let faultCount = 0
    /** The number of kinds of faults per step: one, or all of them in long runs. */
    const rounds = Math.min(Atomicity.faultKinds.length, runs(1).numRuns)
    const kindsAt = Atomicity.rotatedKinds(rounds, () => faultCount)
    const host = {
      ...sceneHostOf(world),
      work: async () => {
        const trials = await tryFaultsInJobs(
          world,
          ({ number }) => Atomicity.faultKinds[number % Atomicity.faultKinds.length]!
        )
        faultCount += trials.stepCount
        violations.push(...trials.violations)
      }
    }
    try {
      await callOperations(host, async ({ id }, { method, address, body }) => {
        const operation = world.send({ method, path: address, body })
        // A fault in the job of a PDF is retried after a pause, and the clock of this world does not advance on its own.
        if (waitingOperations.has(id)) {
          bodyOf(await Atomicity.runToEnd(world, operation))
          return
        }
        const trials = await Atomicity.tryEachFault(world, operation, kindsAt)
        faultCount += trials.faultCount
        for (const violation of trials.violations) violations.push(`${id} ${method} ${address}: ${violation}`)
        // The result of a retry is defined only for operations that succeed.
        bodyOf(trials.result)
        if (trials.retryResult !== undefined && trials.retryResult !== "same")
          retryDifferences[id] = retryDifference(trials.retryResult)
      })
      expect(await world.findings()).toEqual([])
    } finally {
      await world.close()
    }
    expect(violations).toEqual([])
    // A lower bound of the number of steps of all operations, so that the test fails if steps are skipped.
    expect(faultCount).toBeGreaterThan(1_700)
    expect(retryDifferences).toEqual(
      Object.fromEntries(
        operations.flatMap(({ id, repeated }) => (repeated === undefined ? [] : [[id, repeated]]))
      )
    )
  },
  15 * 60_000
)

/** Operations that write more than one row. */
const multiRowWrites = (organization: string): ReadonlyArray<ApiCall> => [
  { method: "POST", path: `/v1/orgs/${organization}/spaces`, body: {} },
  { method: "POST", path: `/v1/orgs/${organization}/sites`, body: { title: "Docs", spaces: "new" } },
  { method: "PUT", path: `/v1/orgs/${organization}/openapi/api`, body: { source: { text: "{}" } } }
]

/** The violations that are reported for operations whose store is broken on purpose. */
const violationsWithBrokenStore = async (
  replaceMethods: (adapter: RecordsAdapter["Service"]) => Partial<RecordsAdapter["Service"]>
) => {
  const world = await createFaultyWorld(undefined, {
    wrapStorage: (storage) =>
      Layer.effect(
        RecordsAdapter,
        Effect.map(RecordsAdapter, (adapter) => RecordsAdapter.of({ ...adapter, ...replaceMethods(adapter) }))
      ).pipe(Layer.provide(storage))
  })
  try {
    const violations: Array<string> = []
    for (const call of multiRowWrites(world.organization)) {
      violations.push(
        (await Atomicity.tryEachFault(world, world.send(call), () => ["fail"])).violations.join("\n")
      )
    }
    return violations
  } finally {
    await world.close()
  }
}

describe("the atomicity test detects, in each operation that writes,", () => {
  it("transactions without rollback", async () => {
    for (const violations of await violationsWithBrokenStore(() => ({ transaction: (self) => self }))) {
      expect(violations).toMatch(/left a partial effect/)
    }
  })

  it("transactions that are retried although they may have been committed", async () => {
    const violations = await violationsWithBrokenStore(({ transaction }) => ({
      transaction: (self) =>
        Effect.catchIf(
          transaction(self),
          (error) => (error as { readonly _tag?: string })._tag === "StorageUnavailable",
          () => transaction(self)
        )
    }))
    for (const one of violations) expect(one).toMatch(/fail at step \d+ \(response\)/)
  })

  it("failures that are ignored", async () => {
    const violations = await violationsWithBrokenStore(({ insert }) => ({
      insert: (table, rows) => Effect.catchTag(insert(table, rows), "StorageUnavailable", () => Effect.void)
    }))
    // The store does not commit such a transaction, so the operations remain atomic.
    expect(violations).toEqual(["", "", ""])
    const violationsOfDefects = await violationsWithBrokenStore(({ find }) => ({
      find: (table, options) => Effect.orDie(find(table, options))
    }))
    for (const one of violationsOfDefects) expect(one).toMatch(/ended with "broken: 500/)
  })
})

it("a read succeeds if the last use of the token cannot be stored", async () => {
  const world = await createFaultyWorld()
  try {
    const read = world.send({ method: "GET", path: "/v1/user" })
    world.advance(24 * 60 * 60_000)
    world.storage.inject(Fault.fail(Fault.at.verb("update", "apiTokens")))
    expect((await Atomicity.runToEnd(world, read)).outcome).toBe("done")
    expect(world.storage.countPendingFaults()).toBe(0)
  } finally {
    await world.close()
  }
})

it("a secret that was created in a transaction that is rolled back is not used by the next", async () => {
  const world = await createFaultyWorld(undefined, { createsSecret: true })
  try {
    const publish = world.send({
      method: "POST",
      path: "/v1/integrations/example",
      body: {
        organization: world.organization,
        title: "Example",
        description: "",
        script: "x",
        scopes: [],
        // Both values are encrypted with the secret of the workspace, which the first one creates.
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
