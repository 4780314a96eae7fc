/** The faults of a simulation, as data: which fault occurs at which step of the store. */
import { StorageConflict, StorageUnavailable } from "@lectern/core"
import { Effect } from "effect"
import { canConflict } from "../faults/Fault.ts"
import { failingResponses, type Response } from "./Network.ts"
import type { SeededRandom } from "./random/SeededRandom.ts"
import type { OnStep, StorageStep } from "./storagePort.ts"

/** A fault. Times are in milliseconds. */
export type SimulatedFault =
  | { readonly kind: "conflict" | "lost reply" | "failed step" | "interrupted call" | "lost signal" }
  | { readonly kind: "slow step"; readonly forMs: number }
  | { readonly kind: "outage"; readonly steps: number }
  | { readonly kind: "kill" | "stop"; readonly downMs: number }
  | { readonly kind: "stall"; readonly forMs: number }
  | { readonly kind: "clock skew"; readonly byMs: number }
  | { readonly kind: "failing receiver"; readonly responses: ReadonlyArray<Response> }

/** A fault with the number of the step from which on it can occur. It occurs at the first step that it suits. */
export interface PlannedFault {
  /** The number of the first step at which it can occur, counted from the end of the preparation. */
  readonly atStep: number
  /** The fault. */
  readonly fault: SimulatedFault
}

/** The kinds of faults. */
export const faultKinds: ReadonlyArray<SimulatedFault["kind"]> = [
  "conflict",
  "lost reply",
  "failed step",
  "interrupted call",
  "lost signal",
  "slow step",
  "outage",
  "kill",
  "stop",
  "stall",
  "clock skew",
  "failing receiver"
]

/** How far the clocks of processes may differ, in milliseconds: less than the 5 minutes that the workspace tolerates. */
const maximumSkewMs = 2 * 60 * 1_000

/** Chooses a fault. */
export const chooseFault = (random: SeededRandom): SimulatedFault => {
  const kind = random.pick(faultKinds)
  switch (kind) {
    case "slow step":
      return { kind, forMs: 1 + random.below(5_000) }
    case "outage":
      return { kind, steps: 1 + random.below(60) }
    case "kill":
    case "stop":
      return { kind, downMs: random.below(8_000) }
    case "stall":
      return { kind, forMs: 1_000 + random.below(15_000) }
    case "clock skew":
      return { kind, byMs: random.below(2 * maximumSkewMs) - maximumSkewMs }
    case "failing receiver":
      return {
        kind,
        responses: Array.from({ length: 1 + random.below(4) }, () => random.pick(failingResponses))
      }
    default:
      return { kind }
  }
}

const unavailable = new StorageUnavailable({
  reason: "Unreachable",
  detail: "The simulation has failed the step."
})

/** Whether a fault can occur at a step. */
export const suits = (fault: SimulatedFault, step: StorageStep): boolean => {
  switch (fault.kind) {
    case "conflict":
      return canConflict({ ...step, number: 0 })
    case "lost reply":
      return step.kind === "response"
    case "failed step":
    case "outage":
      return step.kind !== "response"
    default:
      return true
  }
}

/** The effect of a fault on the step at which it occurs. */
export const effectOnStep = (fault: SimulatedFault): ReturnType<OnStep> => {
  switch (fault.kind) {
    case "conflict":
      return Effect.fail(new StorageConflict())
    case "lost reply":
    case "failed step":
    case "outage":
      return Effect.fail(unavailable)
    case "slow step":
      return Effect.sleep(fault.forMs)
    default:
      return Effect.void
  }
}
