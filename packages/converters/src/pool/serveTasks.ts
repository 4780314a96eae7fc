/** The part of a pool that runs in its threads. */
import { parentPort } from "node:worker_threads"
import type { TaskMessage, TaskRequest } from "./protocol.ts"

/** An expected error of a task. If a task throws it, the caller receives `TaskFailed` with its message. */
export class TaskFailure extends Error {}

/**
 * A function that a thread runs. Its input, its result and the progress that it reports must be structured-cloneable.
 */
type Handler = (input: never, report: (progress: unknown) => void) => unknown

/** Functions that load the handlers of tasks, by name of the task. A handler is loaded when its task is requested. */
export type Tasks = Readonly<Record<string, () => Promise<Handler>>>

/** Returns the buffer of a byte array that covers it completely. It is transferred to the caller instead of copied. */
const transferables = (value: unknown): ReadonlyArray<ArrayBuffer> =>
  value instanceof Uint8Array &&
  value.buffer instanceof ArrayBuffer &&
  value.byteLength === value.buffer.byteLength
    ? [value.buffer]
    : []

const send = (message: TaskMessage, transfer: ReadonlyArray<ArrayBuffer> = []): void =>
  parentPort!.postMessage(message, transfer)

/**
 * Runs the tasks that a pool sends to this thread. Call it once, from the module that `makeThreadPool` starts as
 * `program`.
 *
 * @example
 * serveTasks({ double: async () => (value: number) => value * 2 })
 */
export const serveTasks = (tasks: Tasks): void => {
  parentPort!.on("message", async ({ task, input }: TaskRequest) => {
    try {
      const load = tasks[task]
      if (load === undefined) throw new Error(`The thread has no task "${task}".`)
      // The task names the handler of its input.
      const handler = (await load()) as (input: unknown, report: (progress: unknown) => void) => unknown
      // Loading modules is not charged to the task's CPU budget.
      send({ type: "started", usage: process.threadCpuUsage() })
      const value = await handler(input, (value) => send({ type: "progress", value }, transferables(value)))
      send({ type: "succeeded", value }, transferables(value))
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      send({ type: error instanceof TaskFailure ? "failed" : "crashed", message })
    }
  })
}
