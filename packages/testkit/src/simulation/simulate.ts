/** Runs a simulation: a workspace with several processes and users, in one thread, whose every choice a seed determines. */
import type { RecordsAdapter } from "@lectern/core"
import { Effect, Exit } from "effect"
import { type Cluster, makeCluster, withThread } from "./Cluster.ts"
import { type CallData, type ExecutedCall, toText } from "./calls.ts"
import { makeOwnedIds, type OwnedIds } from "./isolation.ts"
import type { CallKind } from "./mix/CallKind.ts"
import { callKinds, commandKinds, queryKinds } from "./mix/callKinds.ts"
import { type KnownResources, makeKnownResources } from "./mix/KnownResources.ts"
import { makeNetwork, type Network } from "./Network.ts"
import { clientCount, type Plan, type PlannedCall } from "./plan.ts"
import { combineSeeds, makeSeededRandom, type SeededRandom } from "./SeededRandom.ts"
import { makeSimulatedStorage } from "./SimulatedStorage.ts"
import { makeSimulator, type SimulatedThread, type Simulator } from "./Simulator.ts"
import { compareWithSerial, type ObservedCall } from "./serialExecution.ts"
import { examine, findUnsettled, findUnstarted } from "./settle.ts"
import type { SimulatedStorage, StateChange } from "./storagePort.ts"
import { makeWrappedStorage, type OpenedStore } from "./WrappedStorage.ts"
import { makeCommitWatcher, rowsIn, tableNamed } from "./watchCommits.ts"

/** The result of a simulation. */
export interface SimulationResult {
  /** The rule that the workspace has violated, with its details; undefined if it has violated no rule. */
  readonly violation: { readonly rule: string; readonly details: string } | undefined
  /** Identifies everything that happened. Two runs of a plan have the same hash. */
  readonly traceHash: string
  /** How often each operation, fault and conflict was reached. */
  readonly reached: ReadonlyMap<string, number>
  /** The number of commands that have ended. */
  readonly commands: number
}

/** A violated rule, which ends the simulation. */
class Violation extends Error {
  readonly rule: string
  constructor(rule: string, details: string) {
    super(details)
    this.rule = rule
  }
}

/** The maximum number of tasks of a phase of a simulation, per call. */
const tasksPerCall = 60_000

/** The maximum time until everything has settled after the faults have ended, in milliseconds. */
const settleMs = 15 * 60 * 1_000

/** How often it is checked whether everything has settled, in milliseconds. */
const settlePollMs = 1_000

/** The longest time that a process stalls, or that its workers back off after a fault, in milliseconds. */
const recoveryMs = 16_000

/** The maximum time until idle workers have finished the work of a call, in milliseconds: less than the intervals of their polls. */
const wakeUpMs = 500

const kindsByName = new Map(callKinds.map((kind) => [kind.name, kind]))

/** The probability that a call can name resources of another organization. */
const foreignCalls = 0.06

/** The state of a simulation. */
interface World {
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
const observe = (
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
const callKind = (
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
    const executed = yield* observe(world, process, { operation: kind.operation, parameters, user }, kind)
    const { outcome } = executed
    if (outcome.kind !== "success") return
    world.count(`kind: ${kind.name}`)
    const { organization } = world.organizations.find(({ users }) => users.includes(user))!
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

const command = { isQuery: false, isCompared: true }

/** Returns the id in the result of a call that must succeed. */
const idOf = ({ outcome, call }: ExecutedCall): string => {
  if (outcome.kind !== "success") throw new Error(`${call.operation} failed: ${toText(outcome)}`)
  return typeof outcome.value === "string" ? outcome.value : (outcome.value as { readonly id: string }).id
}

/** The kinds of calls that create the first resources of an organization. */
const firstKinds = [
  "Collections.create",
  "Spaces.create",
  "Spaces.create",
  "Content.edit: insert a page",
  "Content.edit: insert a page",
  "ChangeRequests.create",
  "ChangeRequests.create",
  "Comments.create",
  "Comments.createReply",
  "Webhooks.create",
  "Teams.create"
]

const usersPerOrganization = clientCount / 2

/** Creates two organizations with their first resources. */
const prepare = (world: World): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (const name of ["Otters", "Herons"]) {
      const operator = (operation: string, parameters: CallData["parameters"]) =>
        observe(world, 0, { operation, parameters, user: undefined }, command)
      const users: Array<string> = []
      for (let index = 0; index < usersPerOrganization; index++) {
        const input = { email: `${name}.${index}@example.com` }
        users.push(idOf(yield* operator("Administration.createUser", { input })))
      }
      const organization = idOf(
        yield* operator("Administration.createOrganization", {
          administrator: users[0],
          input: { title: name }
        })
      )
      for (const user of users.slice(1)) {
        yield* operator("Administration.setMember", { organization, user, input: { role: "admin" } })
      }
      const known = makeKnownResources(organization, users)
      world.organizations.push(known)
      for (const [index, kind] of firstKinds.entries()) {
        const random = makeSeededRandom(combineSeeds(world.plan.seed, 2, index))
        yield* callKind(world, known, users[0]!, kindsByName.get(kind)!, random, 0)
      }
      for (const user of users) {
        const random = makeSeededRandom(combineSeeds(world.plan.seed, 6))
        yield* callKind(world, known, user, kindsByName.get("Tokens.create")!, random, 0)
      }
    }
  })

/** Makes the planned calls of a user. */
const runClient = (world: World, client: number, planned: ReadonlyArray<PlannedCall>): Effect.Effect<void> =>
  Effect.gen(function* () {
    const known = world.organizations[client % world.organizations.length]!
    const user = known.users[Math.floor(client / world.organizations.length)]!
    for (const { kind, seed, pauseMs, process } of planned) {
      if (pauseMs > 0) yield* Effect.sleep(pauseMs)
      const random = makeSeededRandom(seed)
      // Some calls name resources of another organization.
      const chosen = random.chance(foreignCalls) ? random.pick(world.organizations) : known
      yield* callKind(world, chosen, user, kindsByName.get(kind)!, random, process)
    }
  })

/**
 * Checks that idle workers are woken: they finish the work of a call before they poll again. Each round begins at another time between
 * two polls.
 */
const checkWakeUps = (world: World): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { cluster, storage, simulator, plan } = world
    const random = makeSeededRandom(combineSeeds(plan.seed, 7))
    yield* Effect.sleep(recoveryMs)
    for (let process = 0; process < cluster.running().length; process++) {
      yield* Effect.sleep(random.below(settlePollMs))
      const [known] = world.organizations
      const { organization } = known!
      const user = known!.users[0]!
      const call = (operation: string, parameters: CallData["parameters"]) =>
        observe(world, process, { operation, parameters, user }, command)
      const space = idOf(yield* call("Spaces.create", { organization, input: { title: "Awake" } }))
      yield* call("Spaces.duplicate", { space })
      const deadline = simulator.nowMs() + wakeUpMs
      while (findUnstarted(storage.state()).length > 0) {
        if (simulator.nowMs() >= deadline)
          throw new Violation("idle workers are woken", findUnstarted(storage.state()).join("\n"))
        yield* Effect.sleep(wakeUpMs / 10)
      }
    }
  })

/** Ends the faults, and checks that everything settles, and that the store is consistent. */
const settle = (world: World): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { cluster, storage, simulator } = world
    cluster.heal()
    while (!cluster.isComplete()) yield* Effect.sleep(settlePollMs)
    cluster.heal()
    const deadline = simulator.nowMs() + settleMs
    for (;;) {
      const unsettled = findUnsettled(storage.state())
      if (unsettled.length === 0) break
      if (simulator.nowMs() > deadline)
        throw new Violation("everything settles", unsettled.slice(0, 5).join("\n"))
      yield* Effect.sleep(settlePollMs)
    }
    for (const process of cluster.running()) {
      const findings = yield* Effect.callback<ReadonlyArray<string>>((resume) => {
        process.run(examine, (exit) =>
          resume(
            Effect.as(
              Effect.yieldNow,
              Exit.isSuccess(exit) ? exit.value : [`The doctor failed: ${String(exit.cause)}`]
            )
          )
        )
      })
      if (findings.length > 0)
        throw new Violation("the doctor finds nothing", findings.slice(0, 5).join("\n"))
    }
    for (const { id, state } of rowsIn(storage.state(), tableNamed("webhookDeliveries"))) {
      if (state === "delivered" && !world.network.isAccepted(String(id))) {
        throw new Violation(
          "each event is delivered once",
          `No receiver has accepted the delivery ${String(id)}.`
        )
      }
    }
    for (const { url, body } of world.network.received) {
      const { organization } = world.organizations.find(({ organization }) => url.endsWith(organization))!
      const foreign = world.ownedIds.findForeign(organization, body)
      if (foreign !== undefined) {
        throw new Violation("organizations are isolated", `${url} received ${foreign}: ${body}`)
      }
    }
    yield* checkWakeUps(world)
    // Every process reads what was committed, also through its caches.
    for (const [index, known] of world.organizations.entries()) {
      for (let number = 0; number < cluster.running().length; number++) {
        for (const kind of queryKinds) {
          const random = makeSeededRandom(combineSeeds(world.plan.seed, 3, index))
          yield* callKind(world, known, known.users[0]!, kind, random, number)
        }
      }
    }
  })

/** Runs an effect on the thread of the users, until it has ended. */
const runPhase = async (
  world: World,
  effects: ReadonlyArray<Effect.Effect<void>>,
  calls: number
): Promise<void> => {
  let running = effects.length
  let failure: unknown
  for (const effect of effects) {
    Effect.runFork(withThread(world.thread, Effect.andThen(Effect.yieldNow, effect))).addObserver((exit) => {
      running--
      if (Exit.isFailure(exit))
        failure ??= exit.cause.reasons.map((reason) => ("defect" in reason ? reason.defect : reason))[0]
    })
  }
  const end = await world.simulator.run(
    () => running === 0 || failure !== undefined,
    (calls + 20) * tasksPerCall
  )
  if (failure !== undefined) throw failure
  if (end !== "done")
    throw new Violation("everything ends", `The simulation is ${end}, and ${running} users wait.`)
}

/** Changes the store of a simulation, for tests that plant a bug in it. */
export type WrapStore = (adapter: RecordsAdapter["Service"]) => RecordsAdapter["Service"]

/** What a simulation runs on. */
export interface SimulationEnvironment {
  /** Changes the store that the processes reach, for tests that plant a bug. */
  readonly wrapStore?: WrapStore | undefined
  /** Opens a connection of a store with the tables of the workspace, for each process; by default, the store is in memory. */
  readonly openStore?: (() => OpenedStore) | undefined
}

/** Runs a plan. */
export const simulatePlan = async (
  plan: Plan,
  { wrapStore = (adapter) => adapter, openStore }: SimulationEnvironment = {}
): Promise<SimulationResult> => {
  const reached = new Map<string, number>()
  const count = (what: string) => void reached.set(what, (reached.get(what) ?? 0) + 1)
  const random = makeSeededRandom(combineSeeds(plan.seed, 4))
  const simulator = makeSimulator(makeSeededRandom(combineSeeds(plan.seed, 5)), plan.stickiness)
  let violation: SimulationResult["violation"]
  const report = (rule: string, details: string) => {
    violation ??= { rule, details }
  }
  const watch = makeCommitWatcher()
  const checkCommit = (commit: StateChange) => {
    const found = watch(commit)
    if (found !== undefined) report("each event is delivered once", found)
  }
  const storage =
    openStore === undefined
      ? makeSimulatedStorage(undefined, checkCommit)
      : makeWrappedStorage(openStore, simulator.awaitTurn)
  const network = makeNetwork(random, (response) => count(`receiver: ${response}`))
  const items = plan.items
  const planned = items.flatMap((one) => (one.item === "call" ? [one.call] : []))
  const cluster = makeCluster({
    simulator,
    storage,
    network,
    random,
    processes: plan.processes,
    hasVersion: plan.hasVersion,
    faults: items.flatMap((one) => (one.item === "fault" ? [one.fault] : [])),
    onDefect: (message) => report("no defect", message),
    wrapStore,
    count
  })
  const thread = simulator.makeThread("users")
  const world: World = {
    plan,
    simulator,
    storage,
    network,
    cluster,
    thread,
    calls: [],
    organizations: [],
    ownedIds: makeOwnedIds(),
    count
  }
  try {
    cluster.startAll()
    await simulator.run(cluster.isComplete, tasksPerCall)
    await runPhase(world, [prepare(world)], firstKinds.length)
    cluster.beginFaults()
    const clients = Array.from({ length: clientCount }, (_, client) =>
      runClient(
        world,
        client,
        planned.filter((call) => call.client === client)
      )
    )
    await runPhase(world, clients, planned.length)
    await runPhase(world, [settle(world)], planned.length)
    if (violation === undefined) {
      const compared = await compareWithSerial(world.calls, storage.state())
      if (compared.violation !== undefined) report("a serial order explains all results", compared.violation)
      for (let torn = 0; torn < compared.tornQueries; torn++) count("queries that overlap commits")
    }
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    report(error.rule, error.message)
  } finally {
    for (const process of cluster.running()) process.kill()
    storage.close()
  }
  return {
    violation,
    traceHash: simulator.traceHash(),
    reached,
    commands: world.calls.filter(({ isQuery }) => !isQuery).length
  }
}

/** The names of everything that simulations must reach. */
export const expectedKinds: ReadonlyArray<string> = [...commandKinds, ...queryKinds].map(
  ({ name }) => `kind: ${name}`
)
