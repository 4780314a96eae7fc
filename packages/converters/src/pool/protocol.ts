/** The messages between the pool and its threads. */

/** Requests that a thread runs a task. */
export interface TaskRequest {
  /** The name of the task in `serveTasks`. */
  readonly task: string
  /** The input, which is structured-cloneable. */
  readonly input: unknown
}

/**
 * The messages of a thread: first `started`, with the CPU time that the thread has used before the task, then any number
 * of `progress`, then one of the others with the result.
 */
export type TaskMessage =
  | { readonly type: "started"; readonly usage: NodeJS.CpuUsage }
  | { readonly type: "progress"; readonly value: unknown }
  | { readonly type: "succeeded"; readonly value: unknown }
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "crashed"; readonly message: string }
