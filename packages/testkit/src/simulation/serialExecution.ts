/**
 * The serial execution of the calls of a simulation: one process without concurrency, caches and faults executes the committed calls, in
 * the order of their commits, with the inputs that they had. Every call must have the result that it had in the simulation, and end as the
 * model predicts.
 */

import { BackgroundWork, EventLog } from "@lectern/core"
import { Effect } from "effect"
import type { State } from "../storage/MemoryState.ts"
import { type CallData, type ExecutedCall, type Outcome, startCall, toText } from "./calls.ts"
import { findDifferentEvents, findDifferentRow } from "./compareStates.ts"
import { makeNetwork } from "./Network.ts"
import { makeModelOracle } from "./oracle/modelOracle.ts"
import { type Process, type ProcessServices, startProcess } from "./Process.ts"
import { makeSeededRandom } from "./random/SeededRandom.ts"
import { makeSimulatedStorage } from "./SimulatedStorage.ts"
import { makeSimulator } from "./Simulator.ts"
import { rowsIn, tableNamed } from "./watchCommits.ts"

/** A call of the simulation, with the versions of the store between which it ran. */
export interface ObservedCall {
  readonly executed: ExecutedCall
  /** Whether its result is compared. */
  readonly isCompared: boolean
  readonly isQuery: boolean
  readonly startVersion: number
  readonly endVersion: number
}

/** The serial execution so far. */
interface SerialWorkspace {
  readonly execute: (call: CallData, executed: ExecutedCall) => Promise<Outcome>
  /** Executes a call, and undoes it. */
  readonly attempt: (call: CallData, executed: ExecutedCall) => Promise<Outcome>
  /** Runs all background work. */
  readonly finish: () => Promise<void>
  readonly state: () => State
}

/** The longest delay of a job that does not recur, in milliseconds. */
const longestDelayMs = 60 * 60 * 1_000

/** The maximum number of steps of one call. */
const maximumSteps = 100_000

const openSerialWorkspace = async (): Promise<SerialWorkspace> => {
  const random = makeSeededRandom(0)
  const simulator = makeSimulator(random, 1)
  const storage = makeSimulatedStorage()
  const network = makeNetwork(random, () => {})
  let process: Process | undefined
  let defect: string | undefined
  startProcess(
    {
      name: "serial",
      simulator,
      random,
      makeFetch: () => network.makeFetch(() => {}),
      isWorker: false,
      isCaching: false,
      onDefect: (message) => {
        defect = message
      },
      connect: () => storage.connect({ hasVersion: false, onStep: () => Effect.void })
    },
    (started) => {
      process = started
    }
  )
  await simulator.run(() => process !== undefined, maximumSteps)
  const runWork = async (work: Effect.Effect<unknown, unknown, ProcessServices>) => {
    let isDone = false
    process!.run(work, () => {
      isDone = true
    })
    await simulator.run(() => isDone, maximumSteps)
  }
  /** Numbers events as workers do, so that commands find none to number. */
  const numberEvents = () => runWork(Effect.flatMap(EventLog, ({ number }) => number))
  const execute: SerialWorkspace["execute"] = async (call, { inputs }) => {
    // The jobs of the call must be due.
    const { thread } = process!
    thread.skewMs = Math.max(thread.skewMs, inputs.timeMs - simulator.nowMs())
    let outcome: Outcome | undefined
    startCall(process!, call, inputs, (ended) => {
      outcome = ended.outcome
    })
    await simulator.run(() => outcome !== undefined, maximumSteps)
    await numberEvents()
    return outcome ?? { kind: "defect", message: defect ?? "The call has not ended." }
  }
  return {
    execute,
    attempt: async (call, executed) => {
      const restore = storage.save()
      const outcome = await execute(call, executed)
      restore()
      return outcome
    },
    finish: () => {
      process!.thread.skewMs += longestDelayMs
      return runWork(Effect.flatMap(BackgroundWork, ({ drain }) => drain))
    },
    state: storage.state
  }
}

const isSame = (one: Outcome, other: Outcome): boolean =>
  one.kind === "success"
    ? other.kind === "success" && one.text === other.text
    : one.kind === "failure" && other.kind === "failure" && one.error === other.error

const describeOutcome = (outcome: Outcome): string =>
  outcome.kind === "success" ? outcome.text : JSON.stringify(outcome)

const describe = ({ operation, parameters, user }: CallData): string =>
  `${operation} ${toText(parameters)} by ${user ?? "the operator"}`

/** Returns the first difference of two strings, with the characters before it. */
const firstDifference = (one: string, other: string): string => {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const from = Math.max(0, at - 120)
  return `…${one.slice(from, at + 200)}…\n  instead of\n…${other.slice(from, at + 200)}…`
}

/** Returns the order of the commits of calls. */
const committedCalls = (calls: ReadonlyArray<ObservedCall>): ReadonlyArray<ObservedCall> =>
  calls
    .filter(
      ({ executed, isQuery }) =>
        !isQuery && executed.commit !== undefined && executed.outcome.kind !== "failure"
    )
    .toSorted((a, b) => a.executed.commit!.version - b.executed.commit!.version)

/** A call that has no place in the serial order yet. */
interface Unplaced {
  readonly observed: ObservedCall
  /** The last result of the call in the serial execution. */
  last: Outcome | undefined
}

/** The result of the comparison. */
export interface SerialComparison {
  /** How the simulation differs from the serial execution; undefined if it does not. */
  readonly violation: string | undefined
  /** The number of queries that have read while calls were committed, and that no single state explains. */
  readonly tornQueries: number
}

/** Compares calls, and the rows of the store, with a serial execution. */
export const compareWithSerial = async (
  calls: ReadonlyArray<ObservedCall>,
  state: State
): Promise<SerialComparison> => {
  const serial = await openSerialWorkspace()
  const model = makeModelOracle()
  const commits = committedCalls(calls)
  const waiting = calls
    .filter(
      ({ executed: { commit, outcome }, isQuery, isCompared }) =>
        isCompared &&
        (outcome.kind === "success" || outcome.kind === "failure") &&
        (isQuery || commit === undefined || outcome.kind === "failure")
    )
    .toSorted((a, b) => a.startVersion - b.startVersion)
  let unplaced: Array<Unplaced> = []
  let tornQueries = 0
  /** The results of queries in the current state, which several processes have asked. */
  const answers = new Map<string, Outcome>()

  /** Executes a call that changes nothing, unless it is a query with a known result that is the expected one. */
  const attempt = async ({ executed, isQuery }: ObservedCall): Promise<Outcome> => {
    const query = isQuery ? describe(executed.call) : undefined
    const known = query === undefined ? undefined : answers.get(query)
    if (known !== undefined && isSame(executed.outcome, known)) return known
    const outcome = await serial.attempt(executed.call, executed)
    if (query !== undefined) answers.set(query, outcome)
    return outcome
  }

  /** Executes calls that change nothing, in the state of `version`. Returns a violation. */
  const place = async (version: number, next: number): Promise<string | undefined> => {
    while (waiting.length > 0 && waiting[0]!.startVersion < next) {
      unplaced.push({ observed: waiting.shift()!, last: undefined })
    }
    const remaining: Array<Unplaced> = []
    for (const one of unplaced) {
      const { executed, isQuery, startVersion, endVersion } = one.observed
      one.last = await attempt(one.observed)
      if (isSame(executed.outcome, one.last)) {
        const different = model.compare(executed.call, one.last, executed.inputs.timeMs)
        if (different === undefined) continue
        return `${describe(executed.call)}\n${different}`
      }
      if (endVersion >= next) remaining.push(one)
      else if (
        isQuery &&
        commits.some(
          ({ executed: { commit } }) => commit!.version > startVersion && commit!.version <= endVersion
        )
      )
        tornQueries++
      else {
        return `${describe(executed.call)}\nreturned ${firstDifference(describeOutcome(executed.outcome), describeOutcome(one.last))}\n(versions ${startVersion} to ${endVersion}, at ${version})`
      }
    }
    unplaced = remaining
    return undefined
  }

  let version = 0
  for (const { executed, isCompared } of commits) {
    const next = executed.commit!.version
    const violation = await place(version, next)
    if (violation !== undefined) return { violation, tornQueries }
    // A call without a result can have committed the record of its denial. Its rows are compared at the end.
    const outcome = await serial.execute(executed.call, executed)
    answers.clear()
    if (isCompared && executed.outcome.kind === "success" && !isSame(executed.outcome, outcome)) {
      return {
        violation: `${describe(executed.call)}\ncommitted as ${next}, and returned ${firstDifference(describeOutcome(executed.outcome), describeOutcome(outcome))}`,
        tornQueries
      }
    }
    const different = model.commit(executed.call, outcome, executed.inputs.timeMs)
    if (different !== undefined) return { violation: `${describe(executed.call)}\n${different}`, tornQueries }
    version = next
  }
  const violation = await place(version, Number.POSITIVE_INFINITY)
  if (violation !== undefined) return { violation, tornQueries }
  const afterCalls = serial.state()
  await serial.finish()
  const afterWork = serial.state()
  const different =
    findDifferentRow(state, { afterCalls, afterWork }) ??
    findDifferentEvents(state, afterWork) ??
    model.findDifference((name) => rowsIn(state, tableNamed(name)))
  return { violation: different, tornQueries }
}
