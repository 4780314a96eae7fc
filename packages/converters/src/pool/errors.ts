/** Why a task of the pool has no result. */
import { Schema } from "effect"

/** The task itself reported a failure, by throwing {@link TaskFailure} in its thread. */
export class TaskFailed extends Schema.TaggedError<TaskFailed>()("TaskFailed", { message: Schema.String }) {}

/** The task threw an error that it did not declare, or its thread ended without a result. */
export class ThreadFailed extends Schema.TaggedError<ThreadFailed>()("ThreadFailed", {
  message: Schema.String
}) {}

/** The task used more CPU time than its budget. Its thread was terminated. */
export class CpuBudgetExceeded extends Schema.TaggedError<CpuBudgetExceeded>()("CpuBudgetExceeded", {
  cpuMs: Schema.Number
}) {
  override get message(): string {
    return `The task used more than ${this.cpuMs} ms of CPU time.`
  }
}

/** The task needed more heap memory than its thread has. Its thread ended. */
export class MemoryExceeded extends Schema.TaggedError<MemoryExceeded>()("MemoryExceeded", {
  memoryMb: Schema.Number
}) {
  override get message(): string {
    return `The task needed more than ${this.memoryMb} MB of memory.`
  }
}

/** The queue of a lane is full. Retry later. */
export class QueueFull extends Schema.TaggedError<QueueFull>()("QueueFull", { limit: Schema.Number }) {
  override get message(): string {
    return `The queue already has ${this.limit} waiting tasks. Retry later.`
  }
}

/** A failure of one task, which has ended. */
export type TaskError = TaskFailed | ThreadFailed | CpuBudgetExceeded | MemoryExceeded
