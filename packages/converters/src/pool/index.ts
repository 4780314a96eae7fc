/** The entry point of the thread pool, for conversions of a host. */
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
  makeThreadPool,
  type RunTask,
  type TaskRunnerOptions,
  type ThreadPool,
  type ThreadPoolOptions
} from "./ThreadPool.ts"
