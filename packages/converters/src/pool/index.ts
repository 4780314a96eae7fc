/** The pool of worker threads, for a host's own conversions. */
export {
  CpuBudgetExceeded,
  MemoryExceeded,
  QueueFull,
  type TaskError,
  TaskFailed,
  ThreadFailed
} from "./errors.ts"
export { serveTasks, TaskFailure, type Tasks } from "./serveTasks.ts"
export type { ThreadOptions } from "./Thread.ts"
export {
  type LaneOptions,
  makeThreadPool,
  type RunTask,
  type ThreadPool,
  type ThreadPoolOptions
} from "./ThreadPool.ts"
