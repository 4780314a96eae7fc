/** Runs tasks in a bounded number of worker threads, each task under a budget of its own. */
import { Clock, Deferred, Duration, Effect, Exit, Pool, type Scope, Semaphore } from "effect"
import { CpuBudgetExceeded, QueueFull, type TaskError, ThreadFailed } from "./errors.ts"
import { openThread, type Thread, type ThreadOptions } from "./Thread.ts"

/** How a pool is sized. */
export interface ThreadPoolOptions extends ThreadOptions {
  /** The most threads, which start as they are needed. */
  readonly threads: number
  /** How long a thread is idle before it ends: between this and twice this. */
  readonly idleTime: Duration.Input
}

/** How tasks of one kind run. */
export interface LaneOptions {
  /** The name of the task in `serveTasks`. */
  readonly task: string
  /** The most milliseconds of CPU time of one task. Time in the queue or waiting for a busy machine is not counted. */
  readonly cpuMs: number
  /** The most threads that tasks of this kind have at a time, so that they leave some to other kinds. */
  readonly concurrency: number
  /** The most tasks that wait. One more fails with `QueueFull`. */
  readonly queueLimit: number
}

/**
 * Runs one task: queues it, then gives it a thread of its own. Interrupting it takes it out of the queue, or terminates
 * its thread.
 */
export type RunTask<Input, Output> = (input: Input) => Effect.Effect<Output, TaskError | QueueFull>

/** A pool of threads. */
export interface ThreadPool {
  /** Makes a function that runs tasks of one kind. */
  readonly lane: <Input, Output>(options: LaneOptions) => RunTask<Input, Output>
  /** How many threads there are. */
  readonly size: Effect.Effect<number>
}

/** The same clock, whose timers do not keep the process alive. */
const unreferenced = (clock: Clock.Clock): Clock.Clock =>
  Object.assign(Object.create(clock) as Clock.Clock, {
    sleep: (duration: Duration.Duration): Effect.Effect<void> =>
      Effect.callback((resume) => {
        const timer = setTimeout(() => resume(Effect.void), Duration.toMillis(duration)).unref()
        return Effect.sync(() => clearTimeout(timer))
      })
  })

/** Makes a pool. Closing the scope terminates its threads. */
export const makeThreadPool = Effect.fnUntraced(function* (
  options: ThreadPoolOptions
): Effect.fn.Return<ThreadPool, never, Scope.Scope> {
  const pool = yield* Pool.makeWithTTL({
    acquire: openThread(options),
    min: 0,
    max: options.threads,
    timeToLive: options.idleTime,
    timeToLiveStrategy: "usage"
  }).pipe(Effect.provideService(Clock.Clock, unreferenced(yield* Clock.Clock)))

  // A pool waits for its threads to be free before it ends them. Tasks under way end first.
  const closed = yield* Deferred.make<never, ThreadFailed>()
  yield* Effect.addFinalizer(() =>
    Deferred.fail(closed, new ThreadFailed({ message: "The thread pool is closed." }))
  )

  const invalidate = (thread: Thread) => Pool.invalidate(pool, thread)

  /** An idle thread that has ended by itself is replaced. */
  const acquire: Effect.Effect<Thread, never, Scope.Scope> = Effect.flatMap(Pool.get(pool), (thread) =>
    thread.isAlive() ? Effect.succeed(thread) : Effect.andThen(invalidate(thread), acquire)
  )

  const lane = <Input, Output>({ task, cpuMs, concurrency, queueLimit }: LaneOptions) => {
    const turns = Semaphore.makeUnsafe(concurrency)
    let admitted = 0

    const run = (input: Input) =>
      Effect.scoped(
        Effect.flatMap(acquire, (thread) =>
          Effect.onExit(thread.run({ task, input }, cpuMs), (exit) =>
            isReusable(thread, exit) ? Effect.void : invalidate(thread)
          )
        )
      ) as Effect.Effect<Output, TaskError>

    const admit = Effect.suspend(() => {
      if (admitted >= concurrency + queueLimit) return Effect.fail(new QueueFull({ limit: queueLimit }))
      admitted++
      return Effect.void
    })
    const leave = Effect.sync(() => {
      admitted--
    })
    return (input: Input) =>
      Effect.acquireUseRelease(
        admit,
        () => Effect.raceFirst(turns.withPermit(run(input)), Deferred.await(closed)),
        () => leave
      )
  }

  return { lane, size: Effect.map(Pool.stats(pool), ({ idle, used }) => idle + used) }
})

/** Whether a thread is free after its task: that has ended by itself, and the thread has not. */
const isReusable = (thread: Thread, exit: Exit.Exit<unknown, TaskError>): boolean =>
  thread.isAlive() &&
  Exit.match(exit, {
    onSuccess: () => true,
    onFailure: (cause) =>
      cause.reasons.every((reason) => reason._tag === "Fail" && !isStillBusy(reason.error))
  })

const isStillBusy = (error: TaskError): boolean => error instanceof CpuBudgetExceeded
