/**
 * The entry point `@lectern/testkit/simulation`: deterministic simulations of whole workspaces. Several processes and users, with
 * background work, webhooks and caches, run in one thread. A seed chooses every interleaving, the clock, ids, randomness and faults.
 */
import { faultKinds } from "./Fault.ts"
import { failingResponses } from "./Network.ts"
import { makePlan, type PlanSize } from "./plan.ts"
import { conflictKinds } from "./SimulatedStorage.ts"
import { type FailedSimulation, keepItems, shrinkPlan } from "./shrink.ts"
import { expectedKinds, type SimulationEnvironment, type SimulationResult, simulatePlan } from "./simulate.ts"

export type { PlannedFault, SimulatedFault } from "./Fault.ts"
export type { Plan, PlannedCall, PlannedItem, PlanSize } from "./plan.ts"
export { makePlan } from "./plan.ts"
export { makeSimulatedStorage } from "./SimulatedStorage.ts"
export { type FailedSimulation, keepItems, shrinkPlan } from "./shrink.ts"
export {
  type SimulationEnvironment,
  type SimulationResult,
  simulatePlan,
  type WrapStore
} from "./simulate.ts"
export type {
  ClientOptions,
  OnStep,
  RestorableStorage,
  SimulatedStorage,
  StateChange,
  StorageClient,
  StorageCommit,
  StorageStep
} from "./storagePort.ts"
export type { OpenedStore } from "./WrappedStorage.ts"

/** The default size of a simulation: it takes about a second of CPU time. */
export const defaultPlanSize: PlanSize = { commands: 100, faults: 30 }

/** The options of {@link simulate}. */
export interface SimulationOptions extends SimulationEnvironment {
  /** Determines the simulation. */
  readonly seed: number
  /** The numbers of commands and faults: 100 and 30 by default. */
  readonly size?: PlanSize
  /** The positions of the calls and faults that occur, for the replay of a shrunk failure; all by default. */
  readonly keep?: ReadonlyArray<number>
}

/**
 * Runs a simulation. `violation` of the result is the rule that the workspace has violated:
 *
 * - Committed commands, executed one after the other in the order of their commits, have the same results and leave the same rows.
 * - A query has the result of one of the states during it; only a query that overlaps commits may mix them.
 * - Every event has a delivery to each webhook that receives it, from the transaction that numbers it on, and ended deliveries do not
 *   change. The numbers of events grow in the order of their commits.
 * - After the faults, everything settles: no event, delivery or job is left, and the doctor finds nothing.
 * - No call and no background work has a defect.
 *
 * @example
 * const { violation } = await simulate({ seed: 1 })
 */
export const simulate = ({
  seed,
  size = defaultPlanSize,
  keep,
  ...environment
}: SimulationOptions): Promise<SimulationResult> => {
  const plan = makePlan(seed, size)
  return simulatePlan(keep === undefined ? plan : keepItems(plan, keep), environment)
}

/** Shrinks a failed simulation with at most `maximumRuns` simulations, 100 by default. */
export const shrinkSimulation = async (
  { seed, size = defaultPlanSize, ...environment }: SimulationOptions,
  failed: SimulationResult,
  maximumRuns = 100
): Promise<FailedSimulation> => shrinkPlan(makePlan(seed, size), failed, maximumRuns, environment)

/** Describes a failed simulation: the violated rule, what happened, and the command that replays it. */
export const describeFailure = (
  { seed, size = defaultPlanSize }: SimulationOptions,
  { plan, kept, result }: FailedSimulation
): string =>
  [
    `Seed ${seed} violates: ${result.violation?.rule ?? "nothing"}.`,
    result.violation?.details ?? "",
    `${plan.processes} processes; ${kept.length} of ${makePlan(seed, size).items.length} calls and faults are necessary:`,
    ...plan.items.map((one, index) =>
      one.item === "call"
        ? `  ${kept[index]}: user ${one.call.client} in process ${one.call.process % plan.processes}: ${one.call.kind}`
        : `  ${kept[index]}: from step ${one.fault.atStep}: ${JSON.stringify(one.fault.fault)}`
    ),
    `Trace ${result.traceHash}. Replay it with:`,
    `npm run simulate -- --seed ${seed} --commands ${size.commands} --faults ${size.faults} --keep ${kept.join(",") || "none"}`
  ].join("\n")

/** The number of simulations that reach each kind of call, fault and response, and the number that reaches each conflict, which locks make rare. */
const complete = { kinds: 20, conflicts: 600 }

/**
 * Returns the kinds of calls, faults, failing responses and conflicts that a number of simulations on the store in memory have not reached,
 * although that number suffices.
 */
export const findUnreached = (
  reached: ReadonlyMap<string, number>,
  simulations: number
): ReadonlyArray<string> =>
  [
    ...(simulations < complete.kinds
      ? []
      : [
          ...expectedKinds,
          ...faultKinds.map((kind) => `fault: ${kind}`),
          ...failingResponses.map((response) => `receiver: ${response}`)
        ]),
    ...(simulations < complete.conflicts ? [] : conflictKinds.map((kind) => `conflict: ${kind}`))
  ].filter((name) => !reached.has(name))
