/** The processes of a simulation on one store, with the faults of the plan. */
import type { RecordsAdapter } from "@lectern/core"
import { Clock, Effect, Scheduler } from "effect"
import { type CallData, type ExecutedCall, startCall } from "./calls.ts"
import { effectOnStep, type PlannedFault, type SimulatedFault, suits } from "./Fault.ts"
import type { Network } from "./Network.ts"
import { type Process, startProcess } from "./Process.ts"
import type { SeededRandom } from "./random/SeededRandom.ts"
import type { SimulatedThread, Simulator } from "./Simulator.ts"
import type { OnStep, SimulatedStorage, StorageStep } from "./storagePort.ts"

/** Options of {@link makeCluster}. */
export interface ClusterOptions {
  readonly simulator: Simulator
  readonly storage: SimulatedStorage
  readonly network: Network
  readonly random: SeededRandom
  readonly processes: number
  readonly hasVersion: boolean
  readonly faults: ReadonlyArray<PlannedFault>
  readonly onDefect: (message: string) => void
  /** Changes the store that processes reach. */
  readonly wrapStore: (adapter: RecordsAdapter["Service"]) => RecordsAdapter["Service"]
  /** Counts an event by its name. */
  readonly count: (what: string) => void
}

/** How long a process waits before it connects again to a store in which another one writes, in milliseconds. */
const connectRetryMs = 20

/** How long a process stalls in a request, in milliseconds: longer than the lease of a delivery. */
const requestStallMs = 7_000

/** A call that a process executes. */
interface InFlight {
  readonly finish: (executed: ExecutedCall) => void
  readonly executed: () => ExecutedCall
  readonly interrupt: () => void
}

/** The place of a process, which is restarted after it was stopped. */
interface Slot {
  readonly name: string
  process: Process | undefined
  readonly inFlight: Set<InFlight>
  restarts: number
}

/** The processes of a simulation. */
export interface Cluster {
  /** Starts every process that does not run. */
  readonly startAll: () => void
  /** Whether every process runs. */
  readonly isComplete: () => boolean
  /** Whether a process runs. */
  readonly hasProcess: () => boolean
  /** Executes a call in the process with this number, or in the next one that runs. */
  readonly call: (process: number, call: CallData) => Effect.Effect<ExecutedCall>
  /** Returns the running processes. */
  readonly running: () => ReadonlyArray<Process>
  /** Lets the faults of the plan occur, from the next step on. */
  readonly beginFaults: () => void
  /** Ends all faults: nothing fails from now on. */
  readonly heal: () => void
  /** The number of steps of the store. */
  readonly steps: () => number
}

/** Creates the processes. */
export const makeCluster = (options: ClusterOptions): Cluster => {
  const { simulator, storage, network, random, count } = options
  let steps = 0
  let firstStep = Number.POSITIVE_INFINITY
  let pending: ReadonlyArray<PlannedFault> = options.faults.toSorted((a, b) => a.atStep - b.atStep)
  let outageUntil = 0
  const slots: ReadonlyArray<Slot> = Array.from({ length: options.processes }, (_, index) => ({
    name: `process ${index}`,
    process: undefined,
    inFlight: new Set(),
    restarts: 0
  }))

  /** Ends the calls of a process, whose callers receive no result. */
  const abandonCalls = (slot: Slot): void => {
    for (const call of [...slot.inFlight]) call.finish(call.executed())
  }

  const start = (slot: Slot): void => {
    const thread = { current: undefined as SimulatedThread | undefined }
    slot.restarts++
    startProcess(
      {
        name: `${slot.name}.${slot.restarts}`,
        simulator,
        random,
        makeFetch: (created) =>
          network.makeFetch(() => {
            created.stalledUntilMs = simulator.nowMs() + requestStallMs
          }),
        isWorker: true,
        isCaching: true,
        onDefect: options.onDefect,
        connect: (created) => {
          thread.current = created
          const client = storage.connect({
            hasVersion: options.hasVersion,
            onStep: onStepOf(slot, created),
            onSignal: (deliver) => deliverSignal(created, deliver)
          })
          return { ...client, adapter: options.wrapStore(client.adapter) }
        }
      },
      (process) => {
        slot.process = process
      }
    )
  }

  /** Runs an action outside of the fiber that calls it, after a time. */
  const later = (milliseconds: number, action: () => void): void => {
    const lasting = Effect.andThen(Effect.sleep(milliseconds), Effect.sync(action))
    Effect.runFork(provideWorld(lasting))
  }
  const world = simulator.makeThread("world")
  const provideWorld = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> => withThread(world, effect)

  const deliverSignal = (thread: SimulatedThread, deliver: () => void): void => {
    const lost = pending.find(
      ({ fault, atStep }) => fault.kind === "lost signal" && atStep + firstStep <= steps
    )
    if (lost !== undefined) {
      pending = pending.filter((one) => one !== lost)
      count("fault: lost signal")
      return
    }
    later(random.below(5), () => {
      if (thread.isAlive) deliver()
    })
  }

  const killSlot = (slot: Slot, downMs: number): void => {
    const { process } = slot
    if (process === undefined) return
    slot.process = undefined
    process.kill()
    abandonCalls(slot)
    later(downMs, () => restart(slot))
  }

  const restart = (slot: Slot): void => {
    if (slot.process !== undefined) return
    if (storage.canConnect()) start(slot)
    else later(connectRetryMs, () => restart(slot))
  }

  const stopSlot = (slot: Slot, downMs: number): void => {
    const { process } = slot
    if (process === undefined) return
    slot.process = undefined
    process.stop(() => {
      abandonCalls(slot)
      later(downMs, () => restart(slot))
    })
  }

  /** Performs the part of a fault that is not a failed step. */
  const occur = (fault: SimulatedFault, slot: Slot, thread: SimulatedThread): void => {
    switch (fault.kind) {
      case "kill":
        // Not within the fiber that passes the step, which would continue until it is suspended.
        later(0, () => killSlot(slot, fault.downMs))
        return
      case "stop":
        later(0, () => stopSlot(slot, fault.downMs))
        return
      case "stall":
        thread.stalledUntilMs = simulator.nowMs() + fault.forMs
        return
      case "clock skew":
        thread.skewMs = fault.byMs
        return
      case "outage":
        outageUntil = steps + fault.steps
        return
      case "failing receiver":
        for (const response of fault.responses) network.failNext(response)
        return
      case "interrupted call": {
        const [call] = slot.inFlight
        if (call !== undefined) later(0, call.interrupt)
        return
      }
      default:
        return
    }
  }

  const onStepOf =
    (slot: Slot, thread: SimulatedThread): OnStep =>
    (step: StorageStep) =>
      Effect.andThen(
        Effect.yieldNow,
        Effect.suspend(() => {
          steps++
          simulator.trace(`${thread.name} ${step.kind} ${step.verb ?? ""} ${step.table ?? ""}`)
          if (steps < outageUntil && step.kind !== "response")
            return effectOnStep({ kind: "outage", steps: 0 })
          const planned = pending.find(
            ({ fault, atStep }) =>
              atStep + firstStep <= steps && fault.kind !== "lost signal" && suits(fault, step)
          )
          // A process that is starting has no calls, and is not stopped.
          if (planned === undefined || slot.process === undefined) return Effect.void
          pending = pending.filter((one) => one !== planned)
          count(`fault: ${planned.fault.kind}`)
          occur(planned.fault, slot, thread)
          return effectOnStep(planned.fault)
        })
      )

  const call: Cluster["call"] = (number, data) =>
    Effect.callback((resume) => {
      const ordered = slots.map((_, index) => slots[(number + index) % slots.length]!)
      const slot = ordered.find(({ process }) => process !== undefined)!
      const inFlight: InFlight = {
        executed: () => started.executed,
        interrupt: () => started.interrupt(),
        finish: (executed) => {
          slot.inFlight.delete(inFlight)
          resume(Effect.as(Effect.yieldNow, executed))
        }
      }
      slot.inFlight.add(inFlight)
      const started = startCall(slot.process!, data, undefined, inFlight.finish)
    })

  return {
    startAll: () => {
      for (const slot of slots) restart(slot)
    },
    isComplete: () => slots.every(({ process }) => process !== undefined),
    hasProcess: () => slots.some(({ process }) => process !== undefined),
    call,
    running: () => slots.flatMap(({ process }) => process ?? []),
    beginFaults: () => {
      firstStep = steps
    },
    heal: () => {
      pending = []
      outageUntil = 0
      network.heal()
      for (const { process } of slots) {
        if (process === undefined) continue
        process.thread.skewMs = 0
      }
    },
    steps: () => steps
  }
}

/** Runs an effect on a thread of the simulation. */
export const withThread = <A, E, R>(
  thread: SimulatedThread,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  effect.pipe(
    Effect.provideService(Clock.Clock, thread.clock),
    Effect.provideService(Scheduler.Scheduler, thread.scheduler)
  )
