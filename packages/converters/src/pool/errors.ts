/** The errors of tasks of the pool. */
import { Schema } from "effect"

/** The task failed with an expected error: it threw `TaskFailure` in its thread. */
export class TaskFailed extends Schema.TaggedError<TaskFailed>()("TaskFailed", { message: Schema.String }) {}

/** The task threw an unexpected error, or its thread ended without a result. */
export class ThreadFailed extends Schema.TaggedError<ThreadFailed>()("ThreadFailed", {
  message: Schema.String
}) {}

/** The task exceeded its CPU budget. Its thread was terminated. */
export class CpuBudgetExceeded extends Schema.TaggedError<CpuBudgetExceeded>()("CpuBudgetExceeded", {
  /** The budget, in milliseconds. */
  cpuMs: Schema.Number
}) {
  override get message(): string {
    return `The task exceeded its budget of ${this.cpuMs} ms of CPU time.`
  }
}

/** The task exceeded the heap limit of its thread. Its thread ended. */
export class MemoryExceeded extends Schema.TaggedError<MemoryExceeded>()("MemoryExceeded", {
  /** The limit, in megabytes. */
  memoryMb: Schema.Number
}) {
  override get message(): string {
    return `The task exceeded the limit of ${this.memoryMb} MB of heap memory.`
  }
}

/** The queue of a task runner is full. Retry later. */
export class QueueFull extends Schema.TaggedError<QueueFull>()("QueueFull", { limit: Schema.Number }) {
  override get message(): string {
    return `The queue is full: it has ${this.limit} waiting tasks. Retry later.`
  }
}

/** The errors with which a task can end. */
export type TaskError = TaskFailed | ThreadFailed | CpuBudgetExceeded | MemoryExceeded
