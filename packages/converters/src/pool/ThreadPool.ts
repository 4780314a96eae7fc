/** Runs tasks in a bounded number of worker threads, each task under a CPU budget. */
import { Clock, Deferred, Duration, Effect, Exit, Pool, type Scope, Semaphore } from "effect"
import { CpuBudgetExceeded, QueueFull, type TaskError, ThreadFailed } from "./errors.ts"
import { openThread, type Thread, type ThreadOptions } from "./Thread.ts"

/** Options of {@link makeThreadPool}. */
export interface ThreadPoolOptions extends ThreadOptions {
  /** The maximum number of threads. They start as needed. */
  readonly threads: number
  /** The time after which an idle thread ends. It ends between this time and twice this time. */
  readonly idleTime: Duration.Input
}

/** Options of {@link ThreadPool.makeTaskRunner}. */
export interface TaskRunnerOptions<Input = unknown> {
  /** The name of the task in `serveTasks`. */
  readonly task: string
  /**
   * The maximum CPU time of one task, in milliseconds, also as a function of its input. Time in the queue or waiting
   * for a processor is not counted.
   */
  readonly cpuMs: number | ((input: Input) => number)
  /**
   * The maximum number of threads for this kind of task. Set it below the pool's size to leave threads to other kinds.
   */
  readonly concurrency: number
  /** The maximum number of waiting tasks. Further tasks fail with `QueueFull`. */
  readonly queueLimit: number
}

/**
 * Runs one task: it waits in the queue for a thread, which runs no other task until it ends. Interruption removes the
 * task from the queue, or terminates its thread. `onProgress` receives the progress that the task reports.
 */
export type RunTask<Input, Output> = (
  input: Input,
  onProgress?: (progress: unknown) => void
) => Effect.Effect<Output, TaskError | QueueFull>

/** A pool of threads. */
export interface ThreadPool {
  /** Creates a function that runs tasks of one kind, with a queue and limits that other kinds do not share. */
  readonly makeTaskRunner: <Input, Output>(options: TaskRunnerOptions<Input>) => RunTask<Input, Output>
  /** The current number of threads. */
  readonly size: Effect.Effect<number>
}

/** Returns a clock whose timers do not keep the process alive. */
const withUnreferencedTimers = (clock: Clock.Clock): Clock.Clock =>
  Object.assign(Object.create(clock) as Clock.Clock, {
    sleep: (duration: Duration.Duration): Effect.Effect<void> =>
      Effect.callback((resume) => {
        const timer = setTimeout(() => resume(Effect.void), Duration.toMillis(duration)).unref()
        return Effect.sync(() => clearTimeout(timer))
      })
  })

/**
 * Creates a pool of worker threads. Closing the scope terminates its threads; running and waiting tasks fail with
 * `ThreadFailed`.
 *
 * @example
 * const pool = yield* makeThreadPool({ program: new URL("./thread.ts", import.meta.url), threads: 2, memoryMb: 512, idleTime: "30 seconds" })
 * const double = pool.makeTaskRunner<number, number>({ task: "double", cpuMs: 1_000, concurrency: 2, queueLimit: 100 })
 * const four = yield* double(2)
 */
export const makeThreadPool = Effect.fnUntraced(function* (
  options: ThreadPoolOptions
): Effect.fn.Return<ThreadPool, never, Scope.Scope> {
  const pool = yield* Pool.makeWithTTL({
    acquire: openThread(options),
    min: 0,
    max: options.threads,
    timeToLive: options.idleTime,
    timeToLiveStrategy: "usage"
  }).pipe(Effect.provideService(Clock.Clock, withUnreferencedTimers(yield* Clock.Clock)))

  // Effect's `Pool` waits for its items to be free before it closes them, so running tasks must end first.
  const closed = yield* Deferred.make<never, ThreadFailed>()
  yield* Effect.addFinalizer(() =>
    Deferred.fail(closed, new ThreadFailed({ message: "The thread pool is closed." }))
  )

  const invalidate = (thread: Thread) => Pool.invalidate(pool, thread)

  /** Acquires a thread, and replaces idle threads that have ended unexpectedly. */
  const acquire: Effect.Effect<Thread, never, Scope.Scope> = Effect.flatMap(Pool.get(pool), (thread) =>
    thread.isAlive() ? Effect.succeed(thread) : Effect.andThen(invalidate(thread), acquire)
  )

  const makeTaskRunner = <Input, Output>({
    task,
    cpuMs,
    concurrency,
    queueLimit
  }: TaskRunnerOptions<Input>) => {
    const budgetOf = (input: Input) => (typeof cpuMs === "number" ? cpuMs : cpuMs(input))
    const semaphore = Semaphore.makeUnsafe(concurrency)
    let admitted = 0

    const run = (input: Input, onProgress?: (progress: unknown) => void) =>
      Effect.scoped(
        Effect.flatMap(acquire, (thread) =>
          Effect.onExit(thread.run({ task, input }, budgetOf(input), onProgress), (exit) =>
            isReusable(thread, exit) ? Effect.void : invalidate(thread)
          )
        )
      ) as Effect.Effect<Output, TaskError>

    const admit = Effect.suspend(() => {
      if (admitted >= concurrency + queueLimit) return Effect.fail(new QueueFull({ limit: queueLimit }))
      admitted++
      return Effect.void
    })
    const dismiss = Effect.sync(() => {
      admitted--
    })
    return (input: Input, onProgress?: (progress: unknown) => void) =>
      Effect.acquireUseRelease(
        admit,
        () => Effect.raceFirst(semaphore.withPermit(run(input, onProgress)), Deferred.await(closed)),
        () => dismiss
      )
  }

  return { makeTaskRunner, size: Effect.map(Pool.stats(pool), ({ idle, used }) => idle + used) }
})

/** Returns whether a thread can run another task: the last one has ended, and the thread is alive. */
const isReusable = (thread: Thread, exit: Exit.Exit<unknown, TaskError>): boolean =>
  thread.isAlive() &&
  Exit.match(exit, {
    onSuccess: () => true,
    onFailure: (cause) =>
      cause.reasons.every((reason) => reason._tag === "Fail" && !isStillBusy(reason.error))
  })

const isStillBusy = (error: TaskError): boolean => error instanceof CpuBudgetExceeded
