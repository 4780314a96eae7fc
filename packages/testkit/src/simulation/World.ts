/** The state of a simulation, and the calls of its users. */
import { Effect } from "effect"
import type { Cluster } from "./Cluster.ts"
import { type CallData, type ExecutedCall, toText } from "./calls.ts"
import type { OwnedIds } from "./isolation.ts"
import type { CallKind } from "./mix/CallKind.ts"
import { callKinds } from "./mix/callKinds.ts"
import type { KnownResources } from "./mix/KnownResources.ts"
import type { Network } from "./Network.ts"
import type { Plan } from "./plan.ts"
import type { SeededRandom } from "./random/SeededRandom.ts"
import type { SimulatedThread, Simulator } from "./Simulator.ts"
import type { ObservedCall } from "./serialExecution.ts"
import type { SimulatedStorage } from "./storagePort.ts"

/** A violated rule, which ends the simulation. */
export class Violation extends Error {
  /** The name of the rule. */
  readonly rule: string
  constructor(rule: string, details: string) {
    super(details)
    this.rule = rule
  }
}

/** The kinds of calls by name. */
export const kindsByName = new Map(callKinds.map((kind) => [kind.name, kind]))

/** The state of a simulation. */
export interface World {
  readonly plan: Plan
  readonly simulator: Simulator
  readonly storage: SimulatedStorage
  readonly network: Network
  readonly cluster: Cluster
  readonly thread: SimulatedThread
  readonly calls: Array<ObservedCall>
  readonly organizations: Array<KnownResources>
  readonly ownedIds: OwnedIds
  readonly count: (what: string) => void
}

/** Executes a call, and records it. */
export const observe = (
  { cluster, storage, calls, count }: World,
  process: number,
  call: CallData,
  { isQuery, isCompared }: Pick<CallKind, "isQuery" | "isCompared">
): Effect.Effect<ExecutedCall> =>
  Effect.gen(function* () {
    while (!cluster.hasProcess()) yield* Effect.sleep(100)
    const startVersion = storage.version()
    const executed = yield* cluster.call(process, call)
    calls.push({ executed, isQuery, isCompared, startVersion, endVersion: storage.version() })
    const { outcome } = executed
    count(`${call.operation}: ${outcome.kind === "failure" ? outcome.error : outcome.kind}`)
    if (outcome.kind === "defect")
      throw new Violation("no defect", `${call.operation} died: ${outcome.message}`)
    return executed
  })

/** Executes a call of a kind, on behalf of a user of an organization. */
export const callKind = (
  world: World,
  known: KnownResources,
  user: string,
  kind: CallKind,
  random: SeededRandom,
  process: number
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const parameters = kind.choose({ random, known, user })
    if (parameters === undefined) return world.count(`skipped: ${kind.name}`)
    const caller = kind.isOperator ? undefined : user
    const call = { operation: kind.operation, parameters, user: caller }
    const executed = yield* observe(world, process, call, kind)
    const { outcome } = executed
    if (outcome.kind !== "success") return
    world.count(`kind: ${kind.name}`)
    // A user can name resources of another organization, and the operator acts for it.
    const { organization } = kind.isOperator
      ? known
      : world.organizations.find(({ users }) => users.includes(user))!
    // A query can number the events of all organizations.
    if (!kind.isQuery) world.ownedIds.add(organization, executed.inputs.committed.ids)
    const foreign = world.ownedIds.findForeign(organization, outcome.text)
    if (foreign !== undefined) {
      throw new Violation(
        "organizations are isolated",
        `${kind.operation} ${toText(parameters)} returned ${foreign} of another organization: ${outcome.text}`
      )
    }
    kind.learn(known, outcome.value, parameters, user)
  })

export const command = { isQuery: false, isCompared: true }

/** Returns the id in the result of a call that must succeed. */
export const idOf = ({ outcome, call }: ExecutedCall): string => {
  if (outcome.kind !== "success") throw new Error(`${call.operation} failed: ${toText(outcome)}`)
  return typeof outcome.value === "string" ? outcome.value : (outcome.value as { readonly id: string }).id
}
