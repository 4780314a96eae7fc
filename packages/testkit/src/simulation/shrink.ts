/** Shrinks the plan of a failed simulation: omits calls and faults as long as the same rule is violated. */
import type { Plan } from "./plan.ts"
import { type SimulationEnvironment, type SimulationResult, simulatePlan } from "./simulate.ts"

/** A failed simulation. */
export interface FailedSimulation {
  /** The plan, without the items that are not necessary. */
  readonly plan: Plan
  /** The positions of the items in the plan of the seed. */
  readonly kept: ReadonlyArray<number>
  /** The result of the plan. */
  readonly result: SimulationResult
}

/** Returns the plan with the items at these positions. */
export const keepItems = (plan: Plan, kept: ReadonlyArray<number>): Plan => ({
  ...plan,
  items: kept.map((index) => plan.items[index]!)
})

/**
 * Returns the smallest failing plan that delta debugging finds with at most `maximumRuns` simulations. A plan that violates another
 * rule is not smaller.
 */
export const shrinkPlan = async (
  plan: Plan,
  failed: SimulationResult,
  maximumRuns: number,
  environment?: SimulationEnvironment
): Promise<FailedSimulation> => {
  let smallest: FailedSimulation = { plan, kept: plan.items.map((_, index) => index), result: failed }
  let runs = 0
  let parts = 2
  while (smallest.kept.length > 0 && runs < maximumRuns) {
    const size = Math.ceil(smallest.kept.length / parts)
    let isSmaller = false
    for (let start = 0; start < smallest.kept.length && runs < maximumRuns; start += size) {
      const kept = smallest.kept.toSpliced(start, size)
      const result = await simulatePlan(keepItems(plan, kept), environment)
      runs++
      if (result.violation?.rule !== failed.violation?.rule) continue
      smallest = { plan: keepItems(plan, kept), kept, result }
      isSmaller = true
      break
    }
    if (isSmaller) parts = Math.max(2, parts - 1)
    else if (size === 1) break
    else parts = Math.min(parts * 2, smallest.kept.length)
  }
  return smallest
}
