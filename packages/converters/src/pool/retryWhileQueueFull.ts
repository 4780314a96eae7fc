/** Back-pressure for callers that wait for room in a queue instead of failing. */
import { Effect, Schedule } from "effect"
import type { QueueFull } from "./errors.ts"

/** Runs a task, and retries every 250 ms while its queue is full. */
export const retryWhileQueueFull = <A, E>(
  task: Effect.Effect<A, E | QueueFull>
): Effect.Effect<A, Exclude<E, QueueFull>> =>
  Effect.retry(task, { while: isQueueFull, schedule: Schedule.spaced("250 millis") }) as Effect.Effect<
    A,
    Exclude<E, QueueFull>
  >

const isQueueFull = (error: unknown): error is QueueFull =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "QueueFull"
