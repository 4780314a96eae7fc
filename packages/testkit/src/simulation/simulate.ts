/** Runs a simulation: a workspace with several processes and users, in one thread, whose every choice a seed determines. */
import type { RecordsAdapter } from "@lectern/core"
import { clearParsedPieces } from "@lectern/markdown/document"
import { Effect, Exit } from "effect"
import { makeCluster, withThread } from "./Cluster.ts"
import type { CallData } from "./calls.ts"
import { makeOwnedIds } from "./isolation.ts"
import { commandKinds, queryKinds } from "./mix/callKinds.ts"
import { makeNetwork } from "./Network.ts"
import { clientCount, type Plan, type PlannedCall } from "./plan.ts"
import { firstKinds, prepare } from "./prepare.ts"
import { combineSeeds, makeSeededRandom } from "./random/SeededRandom.ts"
import { makeSimulatedStorage } from "./SimulatedStorage.ts"
import { makeSimulator } from "./Simulator.ts"
import { compareWithSerial } from "./serialExecution.ts"
import { examine, findOverdue, findUnsettled } from "./settle.ts"
import type { StateChange } from "./storagePort.ts"
import { callKind, command, idOf, kindsByName, observe, Violation, type World } from "./World.ts"
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

/** The probability that a call can name resources of another organization. */
const foreignCalls = 0.06

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
      while (findOverdue(storage.state()).length > 0) {
        if (simulator.nowMs() >= deadline)
          throw new Violation("idle workers are woken", findOverdue(storage.state()).join("\n"))
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
    // Every process reads the last commit, also through its caches.
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

/** The environment of a simulation. */
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
  // The only state that simulations of a process share, and that what happens depends on.
  clearParsedPieces()
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
      ? makeSimulatedStorage(undefined, checkCommit, (kind) => count(`conflict: ${kind}`))
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
