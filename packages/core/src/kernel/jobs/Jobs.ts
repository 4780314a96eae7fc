/**
 * The queue of background jobs. Jobs are rows of the workspace's store: they are enqueued in the transaction that
 * requires them, and completed in the transaction that stores their result, on every store alike. Queue libraries use
 * connections and transactions of their own and cannot do that. Writes of a job's transaction take effect exactly once;
 * everything else that a job does happens at least once.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { NotFound } from "../errors.ts"
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
 * The length of a lease, in milliseconds; one minute by default. A worker sends a heartbeat every third of it; if none
 * arrives, another worker claims the job when the lease expires.
 */
export const JobLease = Context.Reference<number>("@lectern/core/JobLease", {
  defaultValue: () => 60_000
})

/** The number of failed attempts after which a job is dead-lettered. Recurring jobs are retried without limit. */
export const maximumAttempts = 8

/** The back-off after a failed attempt, in milliseconds: one second, doubling up to one hour. */
export const pauseMillis = (attempts: number): number =>
  Math.min(1_000 * 2 ** (attempts - 1), 60 * 60 * 1_000)

/** The id of the only job of a recurring kind. */
const recurringId = (kind: string): string => `recurring:${kind}`

const makeJobs = Effect.gen(function* () {
  const records = yield* Records
  const ids = yield* Ids
  const leaseMillis = yield* JobLease

  const leasedUntil = Effect.map(Clock.currentTimeMillis, (time) => toTimestamp(time + leaseMillis))

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

  /** Matches the job while this attempt is its latest. */
  const ownedBy = ({ id, attempts }: JobRow): Where.Where<JobRow> =>
    Where.and<JobRow>(Where.eq("id", id), Where.eq("attempts", attempts), Where.eq("state", "waiting"))

  /** Updates jobs in a transaction of its own. It is atomic without a lock, so it waits for no command. */
  const updateAlone = (
    where: Where.Where<JobRow>,
    set: Partial<Omit<JobRow, "id">>,
    add: { readonly attempts?: number } = {}
  ): Effect.Effect<number, StorageUnavailable> =>
    records.lockedTransaction([], records.update(jobs, where, set, add))

  /** Claims the job of these kinds that has been due longest, or returns `undefined`. */
  const claim = Effect.fnUntraced(function* (
    handlers: ReadonlyMap<string, JobHandler>
  ): Effect.fn.Return<JobRow | undefined, StorageUnavailable> {
    for (;;) {
      const row = yield* records.first(jobs, {
        where: Where.and<JobRow>(
          Where.eq("state", "waiting"),
          Where.lte("runAt", yield* now),
          Where.isIn("kind", [...handlers.keys()])
        ),
        orderBy: ["runAt"]
      })
      if (row === undefined) return undefined
      const claimed = yield* updateAlone(ownedBy(row), { runAt: yield* leasedUntil }, { attempts: 1 })
      if (claimed === 1) return { ...row, attempts: row.attempts + 1 }
    }
  })

  /** Sends heartbeats that extend the lease, until it is interrupted. */
  const heartbeat = (job: JobRow): Effect.Effect<never, StorageUnavailable> =>
    Effect.forever(
      Effect.andThen(
        Effect.sleep(leaseMillis / 3),
        Effect.flatMap(leasedUntil, (runAt) => updateAlone(ownedBy(job), { runAt }))
      )
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

  return {
    /** Enqueues a job. Part of the current transaction, if there is one. */
    enqueue: (kind: string, payload: unknown, delayMillis = 0): Effect.Effect<void, StorageUnavailable> =>
      Effect.flatMap(ids.next, (id) => insert(id, kind, payload, delayMillis)),

    /** Enqueues the recurring jobs that are not enqueued yet. Idempotent, also across processes. */
    schedule: (handlers: ReadonlyArray<JobHandler>): Effect.Effect<void, StorageUnavailable> =>
      Effect.forEach(
        handlers.filter(({ everyMillis }) => everyMillis !== undefined),
        ({ kind }) => insert(recurringId(kind), kind, null, 0),
        { discard: true }
      ),

    /**
     * Claims and processes one due job, and returns whether there was one. A failed job is retried with exponential
     * back-off, and dead-lettered after {@link maximumAttempts}.
     */
    runOne: Effect.fnUntraced(function* (
      handlers: ReadonlyMap<string, JobHandler>
    ): Effect.fn.Return<boolean, StorageUnavailable> {
      const job = yield* claim(handlers)
      if (job === undefined) return false
      const handler = handlers.get(job.kind)!
      yield* Effect.raceFirst(handler.run(job.payload), heartbeat(job)).pipe(
        Effect.flatMap((store) => finish(job, handler, store)),
        Effect.catchTag("JobFailed", ({ message }) => fail(job, handler, message)),
        Effect.catchDefect((defect) =>
          Effect.andThen(
            Effect.logError("job", defect),
            fail(job, handler, "The job failed unexpectedly; the log has the error.")
          )
        ),
        Effect.catchTag("LostJob", () => Effect.void)
      )
      return true
    }),

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
    })
  }
})

/** The methods of {@link Jobs}. */
export interface JobsService extends Effect.Success<typeof makeJobs> {}

/** Enqueues and processes background jobs. */
export class Jobs extends Context.Service<Jobs, JobsService>()("@lectern/core/Jobs") {
  static readonly layer: Layer.Layer<Jobs, never, Records | Ids> = Layer.effect(Jobs, makeJobs)
}
