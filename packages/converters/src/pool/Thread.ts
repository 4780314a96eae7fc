/** A worker thread that runs one task at a time, under a CPU budget. */
import { Worker } from "node:worker_threads"
import { Effect, type Scope } from "effect"
import { CpuBudgetExceeded, MemoryExceeded, type TaskError, TaskFailed, ThreadFailed } from "./errors.ts"
import type { TaskMessage, TaskRequest } from "./protocol.ts"

/** What a thread is started with. */
export interface ThreadOptions {
  /** The module that the thread runs. It calls `serveTasks`. */
  readonly program: URL
  /** The most megabytes of its JavaScript heap. */
  readonly memoryMb: number
}

/** A running thread. */
export interface Thread {
  /** Whether it has not ended, by itself or by an error. */
  readonly isAlive: () => boolean
  /**
   * Runs a task, for at most `cpuMs` milliseconds of CPU time. After `CpuBudgetExceeded` and after an interruption the
   * thread is still busy: close its scope.
   */
  readonly run: (request: TaskRequest, cpuMs: number) => Effect.Effect<unknown, TaskError>
}

const start = ({ program, memoryMb }: ThreadOptions): Worker =>
  new Worker(program, {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    // Run from sources, a thread imports the sources of the other packages too.
    ...(program.pathname.endsWith(".ts") ? { execArgv: ["--conditions=@lectern/source"] } : {})
  })

/** A longer timer fires at once. */
const longestTimerMs = 2 ** 31 - 1

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

const resultOf = (message: Exclude<TaskMessage, { type: "started" }>): Effect.Effect<unknown, TaskError> => {
  switch (message.type) {
    case "succeeded":
      return Effect.succeed(message.value)
    case "failed":
      return Effect.fail(new TaskFailed(message))
    case "crashed":
      return Effect.fail(new ThreadFailed(message))
  }
}

const run =
  (worker: Worker, memoryMb: number): Thread["run"] =>
  (request, cpuMs) =>
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

      /** Samples the CPU time as seldom as possible: a thread cannot use more of it than time has passed. */
      const checkBudget = (baseline: NodeJS.CpuUsage): void => {
        worker.cpuUsage(baseline).then(
          ({ user, system }) => {
            const leftMs = cpuMs - (user + system) / 1000
            if (isSettled) return
            if (leftMs <= 0) settle(Effect.fail(new CpuBudgetExceeded({ cpuMs })))
            else checkAfter(leftMs, baseline)
          },
          // Only of a thread that has ended, which the listeners report.
          () => undefined
        )
      }
      const checkAfter = (delayMs: number, baseline: NodeJS.CpuUsage): void => {
        timer = setTimeout(checkBudget, Math.min(Math.ceil(delayMs), longestTimerMs), baseline)
      }
      const onMessage = (message: TaskMessage) => {
        if (message.type !== "started") return settle(resultOf(message))
        checkAfter(cpuMs, message.usage)
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

      // The process stays alive while a task runs, and not for the sake of an idle thread.
      worker.on("message", onMessage).on("error", onError).on("exit", onExit).ref()
      worker.postMessage(request)
      return Effect.sync(release)
    })

/** Starts a thread. Closing the scope terminates it, whatever it does. */
export const openThread = (options: ThreadOptions): Effect.Effect<Thread, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => start(options)),
      (worker) => Effect.promise(() => worker.terminate())
    ),
    (worker) => {
      let isAlive = true
      const end = () => {
        isAlive = false
      }
      // An `error` event without a listener would end the process.
      worker.on("error", end).on("exit", end).unref()
      return { isAlive: () => isAlive, run: run(worker, options.memoryMb) }
    }
  )
