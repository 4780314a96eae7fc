/** The messages between the pool and its threads. */

/** Asks a thread to run a task. */
export interface TaskRequest {
  readonly task: string
  readonly input: unknown
}

/**
 * What a thread sends back: `started` once, with the CPU time that the thread has used before the task, then one of
 * the others.
 */
export type TaskMessage =
  | { readonly type: "started"; readonly usage: NodeJS.CpuUsage }
  | { readonly type: "succeeded"; readonly value: unknown }
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "crashed"; readonly message: string }
