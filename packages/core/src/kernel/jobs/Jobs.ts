/**
 * The queue of background work. Jobs are rows of the workspace's own store: they are asked for in the transaction of
 * what asks for them, and ended in the transaction of what they do, on every store alike. That is why no queue of a
 * library is used, which would have a connection and a transaction of its own: an effect within a job's transaction
 * takes place exactly once, everything else at least once.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { NotFound } from "../errors.ts"
import { Ids } from "../ids/Ids.ts"
import { Records, type StorageUnavailable, Where } from "../storage/index.ts"
import { now, toTimestamp } from "../time.ts"
import { type JobRow, jobs } from "./Job.ts"

/** The work of a job failed, for a reason that is for the operator. */
export class JobFailed extends Schema.TaggedError<JobFailed>()("JobFailed", { message: Schema.String }) {}

/** Somebody else has taken the job since: what was done for it is undone. */
class LostJob extends Schema.TaggedError<LostJob>()("LostJob", {}) {}

/** How jobs of a kind are done. */
export interface JobHandler {
  readonly kind: string
  /**
   * Does the work: first what takes time and is in no transaction, then, by the effect that it answers, what is stored
   * together with the end of the job. Both may be done again, the second only after it was undone.
   */
  readonly run: (
    payload: unknown
  ) => Effect.Effect<Effect.Effect<void, StorageUnavailable>, JobFailed | StorageUnavailable>
  /** Stored together with the death of a job, so that nothing waits for it for ever. */
  readonly bury?: (payload: unknown) => Effect.Effect<void, StorageUnavailable>
  /** For what is done again and again: how long after the one the next is done, in milliseconds. */
  readonly everyMillis?: number
}

/**
 * How long a job is somebody's without a sign of life, in milliseconds; a minute by default. Whoever works on it gives
 * one in time; where they have died, another takes the job then.
 */
export const JobLease = Context.Reference<number>("@lectern/core/JobLease", {
  defaultValue: () => 60_000
})

/** How often a job is taken before it is dead. */
export const maximumAttempts = 8

/** The pause after a failure, in milliseconds: a second, doubling up to an hour. */
export const pauseMillis = (attempts: number): number =>
  Math.min(1_000 * 2 ** (attempts - 1), 60 * 60 * 1_000)

/** The id of the one job of a kind that recurs. */
const recurring = (kind: string): string => `recurring:${kind}`

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

  /** This attempt of a job, as long as nobody has made another. */
  const mine = ({ id, attempts }: JobRow): Where.Where<JobRow> =>
    Where.and<JobRow>(Where.eq("id", id), Where.eq("attempts", attempts), Where.eq("state", "waiting"))

  /** Takes the job that has waited longest, of these kinds; undefined where none is due. */
  const take = Effect.fnUntraced(function* (
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
      const taken = yield* records.update(jobs, mine(row), { runAt: yield* leasedUntil }, { attempts: 1 })
      if (taken === 1) return { ...row, attempts: row.attempts + 1 }
    }
  })

  /** Gives signs of life for a job, as long as it is worked on. */
  const renew = (job: JobRow): Effect.Effect<never, StorageUnavailable> =>
    Effect.forever(
      Effect.andThen(
        Effect.sleep(leaseMillis / 3),
        Effect.flatMap(leasedUntil, (runAt) => records.update(jobs, mine(job), { runAt }))
      )
    )

  /** Ends an attempt together with what it stores; undone as a whole where it is not the last one any more. */
  const end = Effect.fnUntraced(function* (
    store: Effect.Effect<void, StorageUnavailable>,
    change: Effect.Effect<number, StorageUnavailable>
  ) {
    yield* store
    if ((yield* change) === 0) return yield* new LostJob()
  }, records.transaction)

  const finish = Effect.fnUntraced(function* (
    job: JobRow,
    { everyMillis }: JobHandler,
    store: Effect.Effect<void, StorageUnavailable>
  ) {
    const next =
      everyMillis === undefined
        ? records.remove(jobs, mine(job))
        : records.update(jobs, mine(job), {
            runAt: toTimestamp((yield* Clock.currentTimeMillis) + everyMillis),
            attempts: 0,
            error: null
          })
    yield* end(store, next)
  })

  const fail = Effect.fnUntraced(function* (job: JobRow, handler: JobHandler, message: string) {
    const isDead = job.attempts >= maximumAttempts && handler.everyMillis === undefined
    const runAt = toTimestamp((yield* Clock.currentTimeMillis) + pauseMillis(job.attempts))
    const change = records.update(
      jobs,
      mine(job),
      isDead ? { state: "dead", error: message } : { runAt, error: message }
    )
    const store = isDead ? (handler.bury?.(job.payload) ?? Effect.void) : Effect.void
    yield* end(store, change)
  })

  return {
    /** Asks for work, in the transaction that this is in: with it, it is asked for, or not. */
    enqueue: (kind: string, payload: unknown, delayMillis = 0): Effect.Effect<void, StorageUnavailable> =>
      Effect.flatMap(ids.next, (id) => insert(id, kind, payload, delayMillis)),

    /** Has what recurs done from now on, where it is not yet. Any number of processes may say so. */
    schedule: (handlers: ReadonlyArray<JobHandler>): Effect.Effect<void, StorageUnavailable> =>
      Effect.forEach(
        handlers.filter(({ everyMillis }) => everyMillis !== undefined),
        ({ kind }) => insert(recurring(kind), kind, null, 0),
        { discard: true }
      ),

    /**
     * Does one job that is due, and answers whether there was one. A failure is noted and tried again later, with
     * growing pauses, or ends the job's life.
     */
    runOne: Effect.fnUntraced(function* (
      handlers: ReadonlyMap<string, JobHandler>
    ): Effect.fn.Return<boolean, StorageUnavailable> {
      const job = yield* take(handlers)
      if (job === undefined) return false
      const handler = handlers.get(job.kind)!
      yield* Effect.raceFirst(handler.run(job.payload), renew(job)).pipe(
        Effect.flatMap((store) => finish(job, handler, store)),
        Effect.catchTag("JobFailed", ({ message }) => fail(job, handler, message)),
        Effect.catchDefect((defect) =>
          Effect.andThen(Effect.logError("job", defect), fail(job, handler, "It failed unexpectedly."))
        ),
        Effect.catchTag("LostJob", () => Effect.void)
      )
      return true
    }),

    /** The jobs that have failed too often, the oldest first. */
    dead: Effect.suspend(() =>
      records.find(jobs, { where: Where.eq<JobRow, "state">("state", "dead"), orderBy: ["runAt"] })
    ),

    /** The jobs that wait, the next one first. */
    waiting: Effect.suspend(() =>
      records.find(jobs, { where: Where.eq<JobRow, "state">("state", "waiting"), orderBy: ["runAt"] })
    ),

    /** Gives a dead job another life. */
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

/** See the module's comment. */
export class Jobs extends Context.Service<Jobs, JobsService>()("@lectern/core/Jobs") {
  static readonly layer: Layer.Layer<Jobs, never, Records | Ids> = Layer.effect(Jobs, makeJobs)
}
