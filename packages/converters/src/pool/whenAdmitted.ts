/** Back-pressure for callers that rather wait than fail. */
import { Effect, Schedule } from "effect"
import type { QueueFull } from "./errors.ts"

/** Runs a task, and tries again four times a second while the queue of its lane is full. */
export const whenAdmitted = <A, E>(
  task: Effect.Effect<A, E | QueueFull>
): Effect.Effect<A, Exclude<E, QueueFull>> =>
  Effect.retry(task, { while: isQueueFull, schedule: Schedule.spaced("250 millis") }) as Effect.Effect<
    A,
    Exclude<E, QueueFull>
  >

const isQueueFull = (error: unknown): error is QueueFull =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "QueueFull"
