/** A worker thread that runs one task at a time, under a CPU budget. */
import { Worker } from "node:worker_threads"
import { Effect, type Scope } from "effect"
import { CpuBudgetExceeded, MemoryExceeded, type TaskError, TaskFailed, ThreadFailed } from "./errors.ts"
import type { TaskMessage, TaskRequest } from "./protocol.ts"

/** Options of a thread. */
export interface ThreadOptions {
  /** The module that the thread runs, which must call `serveTasks`. */
  readonly program: URL
  /** The maximum size of its JavaScript heap, in megabytes. */
  readonly memoryMb: number
}

/** A running thread. */
export interface Thread {
  /** Returns false once the thread has exited or failed. */
  readonly isAlive: () => boolean
  /**
   * Runs a task for at most `cpuMs` milliseconds of CPU time. After `CpuBudgetExceeded` or an interruption, the thread
   * is still busy: close its scope to terminate it.
   */
  readonly run: (
    request: TaskRequest,
    cpuMs: number,
    onProgress?: (progress: unknown) => void
  ) => Effect.Effect<unknown, TaskError>
}

/**
 * The maximum size of the heap of young objects, in megabytes. By default, it grows with the rate of allocation, and the
 * memory of the process with it.
 */
const maxYoungGenerationSizeMb = 12

const startWorker = ({ program, memoryMb }: ThreadOptions): Worker =>
  new Worker(program, {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb },
    // A thread that runs from sources must import the sources of other packages, too.
    ...(program.pathname.endsWith(".ts") ? { execArgv: ["--conditions=@lectern/source"] } : {})
  })

/** The maximum delay of `setTimeout`. A longer timer fires immediately. */
const maxTimerMs = 2 ** 31 - 1

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

const toResult = (
  message: Exclude<TaskMessage, { type: "started" | "progress" }>
): Effect.Effect<unknown, TaskError> => {
  switch (message.type) {
    case "succeeded":
      return Effect.succeed(message.value)
    case "failed":
      return Effect.fail(new TaskFailed(message))
    case "crashed":
      return Effect.fail(new ThreadFailed(message))
  }
}

const makeRun =
  (worker: Worker, memoryMb: number): Thread["run"] =>
  (request, cpuMs, onProgress) =>
    Effect.callback((resume) => {
      let isSettled = false
      let timer: NodeJS.Timeout | undefined

      const release = () => {
        isSettled = true
        clearTimeout(timer)
        worker.off("message", onMessage).off("error", onError).off("exit", onExit).unref()
      }
      const settle = (result: Effect.Effect<unknown, TaskError>) => {
        release()
        resume(result)
      }

      /**
       * Samples the CPU time. The next sample is due when the budget could be used up, since CPU time passes no faster
       * than wall-clock time.
       */
      const checkBudget = (baseline: NodeJS.CpuUsage): void => {
        worker.cpuUsage(baseline).then(
          ({ user, system }) => {
            const leftMs = cpuMs - (user + system) / 1000
            if (isSettled) return
            if (leftMs <= 0) settle(Effect.fail(new CpuBudgetExceeded({ cpuMs })))
            else checkAfter(leftMs, baseline)
          },
          // Rejects only if the thread has ended, which the listeners report.
          () => undefined
        )
      }
      const checkAfter = (delayMs: number, baseline: NodeJS.CpuUsage): void => {
        timer = setTimeout(checkBudget, Math.min(Math.ceil(delayMs), maxTimerMs), baseline)
      }
      const onMessage = (message: TaskMessage) => {
        if (message.type === "started") checkAfter(cpuMs, message.usage)
        else if (message.type === "progress") onProgress?.(message.value)
        else settle(toResult(message))
      }
      const onError = (error: unknown) =>
        settle(
          Effect.fail(
            isOutOfMemory(error)
              ? new MemoryExceeded({ memoryMb })
              : new ThreadFailed({ message: error instanceof Error ? error.message : String(error) })
          )
        )
      const onExit = (code: number) =>
        settle(Effect.fail(new ThreadFailed({ message: `The thread ended with code ${code}.` })))

      // The process must not exit while a task runs, but may exit while the thread is idle.
      worker.on("message", onMessage).on("error", onError).on("exit", onExit).ref()
      worker.postMessage(request)
      return Effect.sync(release)
    })

/** Starts a thread. Closing the scope terminates it, even if it is busy. */
export const openThread = (options: ThreadOptions): Effect.Effect<Thread, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => startWorker(options)),
      (worker) => Effect.promise(() => worker.terminate())
    ),
    (worker) => {
      let isAlive = true
      const markEnded = () => {
        isAlive = false
      }
      // An `error` event without a listener would end the process.
      worker.on("error", markEnded).on("exit", markEnded).unref()
      return { isAlive: () => isAlive, run: makeRun(worker, options.memoryMb) }
    }
  )
