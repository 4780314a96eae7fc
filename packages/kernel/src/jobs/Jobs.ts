/**
 * The queue of background jobs. Jobs are rows of the workspace's store: they are enqueued in the transaction that
 * requires them, and completed in the transaction that stores their result, on every store alike. Queue libraries use
 * connections and transactions of their own and cannot do that. Writes of a job's transaction take effect exactly once;
 * everything else that a job does happens at least once.
 */

import { NotFound } from "@lectern/model/errors"
import { Clock, Context, Effect, Exit, Fiber, Layer, Option, Schema } from "effect"
import { Ids } from "../ids/Ids.ts"
import { type Lock, Records, type StorageUnavailable, Where } from "../storage/index.ts"
import { now, toTimestamp } from "../time.ts"
import { type JobRow, jobs } from "./Job.ts"

/** The job failed. `message` is the reason, for the operator. */
export class JobFailed extends Schema.TaggedError<JobFailed>()("JobFailed", { message: Schema.String }) {}

/** The lease expired and another worker claimed the job: this attempt is rolled back. */
class LostJob extends Schema.TaggedError<LostJob>()("LostJob", {}) {}

/** Processes the jobs of one kind. */
export interface JobHandler {
  /** The kind of the jobs, unique among the handlers of a workspace. */
  readonly kind: string
  /**
   * Processes a job: performs slow work and external I/O outside of any transaction, and returns the effect that stores
   * the result, which runs in the transaction that completes the job. Both may run more than once; the returned effect
   * commits once.
   */
  readonly run: (
    payload: unknown
  ) => Effect.Effect<Effect.Effect<void, StorageUnavailable>, JobFailed | StorageUnavailable>
  /** Runs in the transaction that dead-letters a job, so that nothing waits for its result permanently. */
  readonly onDead?: (payload: unknown) => Effect.Effect<void, StorageUnavailable>
  /**
   * The locks that cover the writes of the returned effect and of `onDead`. Without them, these run in a serializable
   * transaction, which excludes all locked transactions of the workspace.
   */
  readonly locks?: (payload: unknown) => ReadonlyArray<Lock>
  /** For recurring jobs: the delay between the end of a run and the next one, in milliseconds. */
  readonly everyMillis?: number
}

/**
 * The length of a lease, in milliseconds; 12 seconds by default. A worker sends a heartbeat every third of it; if none
 * arrives, for example because its process was killed, another worker claims the job when the lease expires.
 */
export const JobLease = Context.Reference<number>("@lectern/core/JobLease", {
  defaultValue: () => 12_000
})

/**
 * How long an interrupted worker waits for an unfinished claim, and for the release of its job, in
 * milliseconds; 5 seconds each by default. After that, the lease expires.
 */
export const JobReleaseTimeout = Context.Reference<number>("@lectern/core/JobReleaseTimeout", {
  defaultValue: () => 5_000
})

/** The number of failed attempts after which a job is dead-lettered. Recurring jobs are retried without limit. */
export const maximumAttempts = 8

/** The back-off after a failed attempt, in milliseconds: one second, doubling up to one hour. */
export const pauseMillis = (attempts: number): number => Math.min(1_000 * 2 ** (attempts - 1), longestDelayMs)

/** How far the clocks of processes may differ, in milliseconds. */
const clockSkewMs = 5 * 60 * 1_000

/** The longest delay of a job that does not recur, in milliseconds: that of its retries. */
const longestDelayMs = 60 * 60 * 1_000

/** The id of the only job of a recurring kind. */
const recurringId = (kind: string): string => `recurring:${kind}`

/** Matches the job while this attempt is its latest. */
const ownedBy = ({ id, attempts }: JobRow): Where.Where<JobRow> =>
  Where.and<JobRow>(Where.eq("id", id), Where.eq("attempts", attempts), Where.eq("state", "waiting"))

/** Matches the jobs of these kinds that wait. */
const waitingOf = (handlers: ReadonlyMap<string, JobHandler>): Where.Where<JobRow> =>
  Where.and<JobRow>(Where.eq("state", "waiting"), Where.isIn("kind", [...handlers.keys()]))

const makeQueue = Effect.gen(function* () {
  const records = yield* Records

  /** Wakes the workers of every process after the commit, if the store can. */
  const wakeWorkers = records.signals?.send ?? Effect.void

  const insert = Effect.fnUntraced(function* (
    id: string,
    kind: string,
    payload: unknown,
    delayMillis: number
  ) {
    const time = yield* Clock.currentTimeMillis
    const row: JobRow = {
      id,
      kind,
      payload,
      state: "waiting",
      runAt: toTimestamp(time + delayMillis),
      attempts: 0,
      error: null,
      createdAt: toTimestamp(time)
    }
    yield* records.insertMissing(jobs, [row])
  })

  return { wakeWorkers, insert }
})

const makeLeases = Effect.gen(function* () {
  const records = yield* Records
  const leaseMillis = yield* JobLease
  const releaseTimeoutMillis = yield* JobReleaseTimeout
  const leasedUntil = Effect.map(Clock.currentTimeMillis, (time) => toTimestamp(time + leaseMillis))
  const { wakeWorkers } = yield* makeQueue

  /** Updates jobs in a transaction of its own. It is atomic without a lock, so it waits for no command. */
  const updateAlone = (
    where: Where.Where<JobRow>,
    set: Partial<Omit<JobRow, "id">>,
    add: { readonly attempts?: number } = {}
  ): Effect.Effect<number, StorageUnavailable> =>
    records.lockedTransaction([], records.update(jobs, where, set, add))

  /** Sends heartbeats that extend the lease, until it is interrupted or another worker has claimed the job. */
  const heartbeat = (job: JobRow): Effect.Effect<never, LostJob> =>
    Effect.forever(
      Effect.sleep(leaseMillis / 3).pipe(
        Effect.andThen(leasedUntil),
        Effect.flatMap((runAt) => updateAlone(ownedBy(job), { runAt })),
        Effect.flatMap((extended) => (extended === 0 ? Effect.fail(new LostJob()) : Effect.void)),
        // The store can be available again before the lease expires. If not, `end` fails.
        Effect.catchTag("StorageUnavailable", (error) => Effect.logWarning("job heartbeat", error.reason))
      )
    )

  /** Makes the job due again without counting this attempt, as its worker stops. */
  const release = (job: JobRow): Effect.Effect<void> =>
    Effect.flatMap(now, (runAt) => updateAlone(ownedBy(job), { runAt }, { attempts: -1 })).pipe(
      Effect.andThen(wakeWorkers),
      Effect.timeoutOption(releaseTimeoutMillis),
      Effect.catchTag("StorageUnavailable", (error) => Effect.logWarning("job release", error.reason)),
      Effect.asVoid
    )

  /** Ends an attempt in one transaction with its writes. Rolls back if another worker has claimed the job since. */
  const end = (
    job: JobRow,
    handler: JobHandler,
    store: Effect.Effect<void, StorageUnavailable>,
    change: Effect.Effect<number, StorageUnavailable>
  ): Effect.Effect<void, LostJob | StorageUnavailable> => {
    const whole = Effect.andThen(
      store,
      Effect.flatMap(change, (changed) => (changed === 0 ? Effect.fail(new LostJob()) : Effect.void))
    )
    return handler.locks === undefined
      ? records.transaction(whole)
      : records.lockedTransaction(handler.locks(job.payload), whole)
  }

  const finish = Effect.fnUntraced(function* (
    job: JobRow,
    handler: JobHandler,
    store: Effect.Effect<void, StorageUnavailable>
  ) {
    const { everyMillis } = handler
    const next =
      everyMillis === undefined
        ? records.remove(jobs, ownedBy(job))
        : records.update(jobs, ownedBy(job), {
            runAt: toTimestamp((yield* Clock.currentTimeMillis) + everyMillis),
            attempts: 0,
            error: null
          })
    yield* end(job, handler, store, next)
  })

  const fail = Effect.fnUntraced(function* (job: JobRow, handler: JobHandler, message: string) {
    const isDead = job.attempts >= maximumAttempts && handler.everyMillis === undefined
    const runAt = toTimestamp((yield* Clock.currentTimeMillis) + pauseMillis(job.attempts))
    const change = records.update(
      jobs,
      ownedBy(job),
      isDead ? { state: "dead", error: message } : { runAt, error: message }
    )
    const store = isDead ? (handler.onDead?.(job.payload) ?? Effect.void) : Effect.void
    yield* end(job, handler, store, change)
  })

  return { leasedUntil, updateAlone, heartbeat, release, finish, fail }
})

const makeScheduling = Effect.gen(function* () {
  const records = yield* Records
  const ids = yield* Ids
  const { insert, wakeWorkers } = yield* makeQueue
  const { updateAlone } = yield* makeLeases

  return {
    /** Enqueues a job. Part of the current transaction, if there is one. */
    enqueue: (kind: string, payload: unknown, delayMillis = 0): Effect.Effect<void, StorageUnavailable> =>
      Effect.andThen(
        Effect.flatMap(ids.next, (id) => insert(id, kind, payload, delayMillis)),
        wakeWorkers
      ),

    /**
     * Enqueues a job with an id, unless a job with this id waits, runs or is dead-lettered. Part of the current transaction, if
     * there is one.
     */
    enqueueOnce: (id: string, kind: string, payload: unknown): Effect.Effect<void, StorageUnavailable> =>
      Effect.andThen(insert(id, kind, payload, 0), wakeWorkers),

    /** Enqueues the recurring jobs that are not enqueued yet. Idempotent, also across processes. */
    schedule: (handlers: ReadonlyArray<JobHandler>): Effect.Effect<void, StorageUnavailable> =>
      Effect.forEach(
        handlers.filter(({ everyMillis }) => everyMillis !== undefined),
        ({ kind }) => insert(recurringId(kind), kind, null, 0),
        { discard: true }
      ),

    /**
     * Makes the jobs due whose time is further in the future than any delay of their kind: it was written while the clock was
     * wrong. Returns their number.
     */
    rescheduleLate: Effect.fnUntraced(function* (
      handlers: ReadonlyMap<string, JobHandler>
    ): Effect.fn.Return<number, StorageUnavailable> {
      const time = yield* Clock.currentTimeMillis
      const late = [...handlers.values()].map(({ kind, everyMillis = 0 }) =>
        Where.and<JobRow>(
          Where.eq("kind", kind),
          Where.gt("runAt", toTimestamp(time + Math.max(longestDelayMs, everyMillis) + clockSkewMs))
        )
      )
      return yield* updateAlone(Where.and<JobRow>(Where.eq("state", "waiting"), Where.or<JobRow>(...late)), {
        runAt: toTimestamp(time)
      })
    }),

    /** Returns the time at which the next job of these kinds is due or its lease expires, or `undefined`. */
    nextDueAt: (
      handlers: ReadonlyMap<string, JobHandler>
    ): Effect.Effect<string | undefined, StorageUnavailable> =>
      Effect.map(
        records.first(jobs, { where: waitingOf(handlers), orderBy: ["runAt"], select: ["runAt"] }),
        (row) => row?.runAt
      ),

    /**
     * Calls `onSignal` when a process on this store enqueues or releases a job, until the scope closes. Undefined if the
     * store has no signals. See `RecordsAdapter.signals`.
     */
    subscribe: records.signals?.subscribe
  }
})

const makeWork = Effect.gen(function* () {
  const records = yield* Records
  const releaseTimeoutMillis = yield* JobReleaseTimeout
  const { leasedUntil, release, heartbeat, finish, fail } = yield* makeLeases

  const claimRow = Effect.fnUntraced(function* (
    handlers: ReadonlyMap<string, JobHandler>
  ): Effect.fn.Return<JobRow | undefined, StorageUnavailable> {
    const [job] = yield* records.claim(
      jobs,
      {
        where: Where.and<JobRow>(waitingOf(handlers), Where.lte("runAt", yield* now)),
        orderBy: ["runAt"],
        limit: 1
      },
      { runAt: yield* leasedUntil },
      { attempts: 1 }
    )
    return job
  })

  /** Releases the job that an interrupted worker is claiming, unless the store takes too long to respond. */
  const releaseClaimed = (claiming: Fiber.Fiber<JobRow | undefined, StorageUnavailable>) =>
    Fiber.await(claiming).pipe(
      Effect.timeoutOption(releaseTimeoutMillis),
      Effect.flatMap((exit) => {
        // A store that does not respond may not respond to the interruption either, so nothing waits for it.
        if (Option.isNone(exit)) return Effect.sync(() => claiming.interruptUnsafe())
        const { value } = exit
        return Exit.isSuccess(value) && value.value !== undefined ? release(value.value) : Effect.void
      })
    )

  /**
   * Claims the job of these kinds that has been due longest, or returns `undefined`. The caller must pass it to
   * `process`, and must be uninterruptible until then. The claim itself is interruptible, as a store may not respond.
   */
  const claim = (
    handlers: ReadonlyMap<string, JobHandler>
  ): Effect.Effect<JobRow | undefined, StorageUnavailable> =>
    Effect.uninterruptible(
      Effect.flatMap(Effect.forkDetach(claimRow(handlers)), (claiming) =>
        Effect.onInterrupt(Effect.interruptible(Fiber.join(claiming)), () => releaseClaimed(claiming))
      )
    )

  /**
   * Processes a claimed job. A failed job is retried with exponential back-off, and dead-lettered after
   * {@link maximumAttempts}, also if its workers were killed. An interruption releases the job: another worker can claim it immediately, and the attempt
   * is not counted.
   */
  const process = (
    job: JobRow,
    handlers: ReadonlyMap<string, JobHandler>
  ): Effect.Effect<void, StorageUnavailable> => {
    const handler = handlers.get(job.kind)!
    // A job that stops its process, for example by exhausting the memory, never fails: only its claims are counted.
    const isExhausted = job.attempts > maximumAttempts && handler.everyMillis === undefined
    const run = isExhausted
      ? Effect.fail(new JobFailed({ message: "The worker stopped during the last attempt." }))
      : handler.run(job.payload)
    const attempt = Effect.raceFirst(run, heartbeat(job)).pipe(
      Effect.flatMap((store) => finish(job, handler, store)),
      Effect.catchTag("JobFailed", ({ message }) => fail(job, handler, message)),
      // The store works: only this job is repeated later, and the worker continues with others.
      Effect.catchIf(
        (error) => error._tag === "StorageUnavailable" && error.reason === "ConversionFailed",
        ({ message }) => fail(job, handler, message)
      ),
      Effect.catchDefect((defect) =>
        Effect.andThen(
          Effect.logError("job", defect),
          fail(job, handler, "The job failed unexpectedly; the log has the error.")
        )
      ),
      Effect.catchTag("LostJob", () => Effect.void)
    )
    // The caller is uninterruptible since it claimed the job, so that an interruption always releases it.
    return Effect.onInterrupt(Effect.interruptible(attempt), () => release(job))
  }

  return {
    claim,

    process,

    /** Claims and processes one due job, and returns whether there was one. See {@link process}. */
    runOne: (handlers: ReadonlyMap<string, JobHandler>): Effect.Effect<boolean, StorageUnavailable> =>
      Effect.uninterruptible(
        Effect.flatMap(claim(handlers), (job) =>
          job === undefined ? Effect.succeed(false) : Effect.as(process(job, handlers), true)
        )
      )
  }
})

const makeDeadLetters = Effect.gen(function* () {
  const records = yield* Records
  const { wakeWorkers } = yield* makeQueue

  return {
    /** Returns the dead-lettered jobs, the oldest first. */
    dead: Effect.suspend(() =>
      records.find(jobs, { where: Where.eq<JobRow, "state">("state", "dead"), orderBy: ["runAt"] })
    ),

    /** Returns the waiting jobs by the time at which they are due. */
    waiting: Effect.suspend(() =>
      records.find(jobs, { where: Where.eq<JobRow, "state">("state", "waiting"), orderBy: ["runAt"] })
    ),

    /**
     * Reschedules a dead-lettered job to run now, with all attempts. Fails with `NotFound` if no dead job has this id.
     */
    revive: Effect.fnUntraced(function* (id: string) {
      const changed = yield* records.update(
        jobs,
        Where.and<JobRow>(Where.eq("id", id), Where.eq("state", "dead")),
        { state: "waiting", attempts: 0, runAt: yield* now }
      )
      if (changed === 0) return yield* NotFound.of("dead job")
      yield* wakeWorkers
    })
  }
})

const makeJobs = Effect.gen(function* () {
  return { ...(yield* makeScheduling), ...(yield* makeWork), ...(yield* makeDeadLetters) }
})

/** The methods of {@link Jobs}. */
export interface JobsService extends Effect.Success<typeof makeJobs> {}

/** Enqueues and processes background jobs. */
export class Jobs extends Context.Service<Jobs, JobsService>()("@lectern/core/Jobs") {
  static readonly layer: Layer.Layer<Jobs, never, Records | Ids> = Layer.effect(Jobs, makeJobs)
}
