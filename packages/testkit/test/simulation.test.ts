/** Simulations of whole workspaces: they find no violation, find planted bugs, and replay exactly. */

import { isFastRun } from "@lectern/harness"
import {
  describeFailure,
  findUnreached,
  makePlan,
  makeSimulatedStorage,
  type PlannedItem,
  type PlanSize,
  shrinkSimulation,
  simulate,
  simulatePlan,
  type WrapStore
} from "@lectern/testkit/simulation"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

const small: PlanSize = { commands: 40, faults: 15 }

/** Simulates seeds until one fails. */
const findFailure = async (wrapStore: WrapStore, seeds: number) => {
  for (let seed = 1; seed <= seeds; seed++) {
    const result = await simulate({ seed, size: small, wrapStore })
    if (result.violation !== undefined) return { seed, size: small, wrapStore, result }
  }
  return undefined
}

/** Locked transactions that do not wait for each other. */
const withoutLocks: WrapStore = (adapter) => ({
  ...adapter,
  lockedTransaction: (locks, self) =>
    adapter.lockedTransaction!(
      locks.filter((lock) => "row" in lock),
      (names) =>
        self(
          new Set([...names, ...locks.flatMap((lock) => ("id" in lock ? [`${lock.kind}:${lock.id}`] : []))])
        )
    )
})

/** Caches that never notice a commit. */
const withoutVersions: WrapStore = (adapter) => ({
  ...adapter,
  version: () => 1,
  raisedVersions: () => Effect.succeed({ position: "1", versions: [] })
})

/** Jobs that wake no workers of other processes. */
const withoutSignals: WrapStore = (adapter) => ({
  ...adapter,
  signals: { ...adapter.signals!, send: Effect.void }
})

describe("a simulation", () => {
  it("violates no rule", async () => {
    for (let seed = 1; seed <= (isFastRun ? 1 : 8); seed++) {
      const { violation } = await simulate({ seed, size: isFastRun ? small : { commands: 100, faults: 30 } })
      expect(violation, `seed ${seed}`).toBeUndefined()
    }
  })

  it("happens the same way again with the same seed", async () => {
    const size: PlanSize = isFastRun ? { commands: 3, faults: 3 } : { commands: 10, faults: 10 }
    // Another one is between them, so that the caches of modules contain something else.
    const [one, other, again] = [
      await simulate({ seed: 5, size }),
      await simulate({ seed: 6, size }),
      await simulate({ seed: 5, size })
    ]
    expect(again.traceHash).toBe(one.traceHash)
    expect([...again.reached]).toEqual([...one.reached])
    expect(other.traceHash).not.toBe(one.traceHash)
  })

  it.skipIf(isFastRun)(
    "violates no rule when processes stall in requests, and others deliver the same events",
    async () => {
      const plan = makePlan(1, { commands: 8, faults: 0 })
      const stalls = Array.from({ length: 5 }, (_, index): PlannedItem => {
        const fault = { kind: "failing receiver", responses: ["accepts while the sender stalls"] } as const
        return { item: "fault", fault: { atStep: 60 * index, fault } }
      })
      const { violation, reached } = await simulatePlan({
        ...plan,
        processes: 3,
        items: [...plan.items, ...stalls]
      })
      expect(violation).toBeUndefined()
      expect(reached.get("receiver: accepts while the sender stalls")).toBeGreaterThan(0)
    }
  )

  it.skipIf(isFastRun)("finds reads of stale caches", async () => {
    expect((await findFailure(withoutVersions, 5))?.result.violation?.rule).toBe(
      "a serial order explains all results"
    )
  })

  it("finds lost wake-ups", async () => {
    const { violation } = await simulate({
      seed: 1,
      size: { commands: 0, faults: 0 },
      wrapStore: withoutSignals
    })
    expect(violation?.rule).toBe("idle workers are woken")
  })

  it.skipIf(isFastRun)(
    "finds missing locks, and shrinks the failure to one that replays exactly",
    async () => {
      const found = await findFailure(withoutLocks, 30)
      expect(found).toBeDefined()
      const shrunk = await shrinkSimulation(found!, found!.result, 40)
      expect(shrunk.kept.length).toBeLessThan(40)
      const { wrapStore } = found!
      const replayed = await simulate({ seed: found!.seed, size: small, keep: shrunk.kept, wrapStore })
      expect(replayed.traceHash).toBe(shrunk.result.traceHash)
      expect(replayed.violation).toEqual(shrunk.result.violation)
      expect(describeFailure(found!, shrunk)).toContain(`--keep ${shrunk.kept.join(",")}`)
    }
  )

  it("reports the calls and faults that were not reached", async () => {
    const { reached } = await simulate({ seed: 1, size: { commands: 0, faults: 0 } })
    expect(findUnreached(reached, 1)).toEqual([])
    expect(findUnreached(reached, 20)).toContain("fault: kill")
    expect(findUnreached(reached, 20)).not.toContain("kind: Spaces.create")
    expect(findUnreached(reached, 600)).toContain("conflict: changed read")
  })
})

describe("a simulated store", () => {
  it("counts commits that change it", () => {
    expect(makeSimulatedStorage().version()).toBe(0)
  })
})
