/** The plan of a simulation: what users call, and which faults occur. A seed determines it, and parts of it can be omitted. */
import { chooseFault, type PlannedFault } from "./Fault.ts"
import { commandKinds, queryKinds } from "./mix/callKinds.ts"
import { combineSeeds, makeSeededRandom, type SeededRandom } from "./random/SeededRandom.ts"

/** A call that a user makes. */
export interface PlannedCall {
  /** The number of the user who calls. Calls of a user follow each other. */
  readonly client: number
  /** The number of the process that the user prefers. */
  readonly process: number
  /** How long the user waits before the call, in milliseconds. */
  readonly pauseMs: number
  /** The name of the kind of call. */
  readonly kind: string
  /** Determines the parameters. */
  readonly seed: number
}

/** An element of a plan. */
export type PlannedItem =
  | { readonly item: "call"; readonly call: PlannedCall }
  | { readonly item: "fault"; readonly fault: PlannedFault }

/** The plan of a simulation. */
export interface Plan {
  /** Determines the choices of the scheduler, and the parameters of calls. */
  readonly seed: number
  /** The number of processes. */
  readonly processes: number
  /** Whether the store has versions that caches compare: see `RecordsAdapter.version`. */
  readonly hasVersion: boolean
  /** The probability that a fiber continues at a step. */
  readonly stickiness: number
  /** The calls in the order of each user, and the faults in any order. */
  readonly items: ReadonlyArray<PlannedItem>
}

/** How large a simulation is. */
export interface PlanSize {
  /** The number of commands. A query follows half of them. */
  readonly commands: number
  /** The number of faults. */
  readonly faults: number
}

/** The users who call. */
export const clientCount = 6

/** The approximate number of steps of the store that a command and the background work during it take. */
const stepsPerCommand = 60

const maximumPauseMs = 2_000

/** Returns a list in random order. */
const shuffled = <A>(random: SeededRandom, list: ReadonlyArray<A>): ReadonlyArray<A> => {
  const result = [...list]
  for (let index = result.length - 1; index > 0; index--) {
    const other = random.below(index + 1)
    ;[result[index], result[other]] = [result[other]!, result[index]!]
  }
  return result
}

/** Creates the plan of a seed. */
export const makePlan = (seed: number, size: PlanSize): Plan => {
  const random = makeSeededRandom(combineSeeds(seed, 1))
  const items: Array<PlannedItem> = []
  const addCall = (kind: string) => {
    items.push({
      item: "call",
      call: {
        client: random.below(clientCount),
        process: random.below(4),
        pauseMs: random.chance(0.2) ? random.below(maximumPauseMs) : 0,
        kind,
        seed: random.below(2 ** 31)
      }
    })
  }
  let kinds: ReadonlyArray<string> = []
  for (let index = 0; index < size.commands; index++) {
    const at = index % commandKinds.length
    // Each kind is as frequent as the others.
    if (at === 0) kinds = shuffled(random, commandKinds).map(({ name }) => name)
    addCall(kinds[at]!)
    if (random.chance(0.5)) addCall(random.pick(queryKinds).name)
  }
  for (let index = 0; index < size.faults; index++) {
    items.push({
      item: "fault",
      fault: { atStep: random.below(size.commands * stepsPerCommand), fault: chooseFault(random) }
    })
  }
  return {
    seed,
    processes: 1 + random.below(3) + (random.chance(0.5) ? 1 : 0),
    hasVersion: random.chance(0.7),
    stickiness: random.pick([0, 0.5, 0.9]),
    items
  }
}
