/** The background jobs that read the sources of specs: when a source is set, and on a schedule. */

import { Locks, SystemGrant } from "@lectern/access"
import {
  makeSpecReader,
  problemOf,
  type SourceDocument,
  type SpecContent,
  SpecParser,
  type SpecReadError
} from "@lectern/formats"
import {
  Fetcher,
  housekeepingJob,
  Ids,
  type JobHandler,
  Jobs,
  now,
  Records,
  type StorageUnavailable,
  TransactionEvents,
  toTimestamp,
  Where
} from "@lectern/kernel"
import {
  OpenApiSpecChanged,
  openApiSpecs,
  openApiTexts,
  openApiVersions,
  organizations,
  type SpecRow
} from "@lectern/kernel/tables"
import { type SpecProblem, SpecVersionId } from "@lectern/model/openapi-specs"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Context, Effect, Layer, Result, Schema } from "effect"

/** The kind of the job that reads a source. */
export const processSpec = "openapi"

/**
 * How often the URLs of specs are polled for changes, in milliseconds; every 6 hours by default. 0 polls none. It is read
 * when the workspace is built.
 */
export const OpenApiPollInterval = Context.Reference<number>("@lectern/core/OpenApiPollInterval", {
  defaultValue: () => 6 * 60 * 60 * 1_000
})

/** The pause between searches for specs to poll. */
const pollPause = "1 minute"

/** The maximum number of specs that one search schedules. */
const maximumPolls = 100

/**
 * The payload of the job: a spec, and the round of processing that it belongs to. A later round supersedes it. A poll reads
 * the source of a round again.
 */
const Payload = Schema.Struct({
  spec: Schema.String,
  round: Schema.Int,
  isPoll: Schema.optionalKey(Schema.Boolean)
})
type Payload = typeof Payload.Type

const payloadOf = (given: unknown): Payload => Payload.make(given as Payload)

/** The size from which a document is large, in bytes. */
const largeBytes = 2 * 1024 * 1024

/** The maximum number of large documents that a process reads concurrently. Others leave their workers to other jobs. */
const maximumLarge = 2

/** The delay after which a large document is retried, in milliseconds. */
const largeRetryMillis = 10_000

const hasSameProblems = (
  one: ReadonlyArray<SpecProblem> | null,
  other: ReadonlyArray<SpecProblem> | null
): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Matches the spec unless a later round has been scheduled. */
const isCurrentRound = ({ spec, round }: Payload): Where.Where<SpecRow> =>
  Where.and<SpecRow>(Where.eq("id", spec), Where.eq("round", round))

const makeOutcomes = Effect.gen(function* () {
  const events = yield* TransactionEvents
  const { records } = yield* SystemGrant.make("Reads the sources of OpenAPI specs, in background jobs.")
  const ids = yield* Ids

  /**
   * Marks the processing as complete and applies the changes, unless a later round has been scheduled. A poll without
   * changes only stores when it ended.
   */
  const complete = Effect.fnUntraced(function* (
    payload: Payload,
    changes: Pick<SpecRow, "errorCode" | "problems"> & { readonly lastVersion?: SpecVersionId }
  ) {
    const spec = yield* records.first(openApiSpecs, { where: isCurrentRound(payload) })
    if (spec === undefined) return
    const time = yield* now
    const polledAt = spec.sourceURL === null ? null : time
    const isUnchanged =
      payload.isPoll === true &&
      changes.lastVersion === undefined &&
      spec.errorCode === changes.errorCode &&
      hasSameProblems(spec.problems, changes.problems)
    yield* records.update(
      openApiSpecs,
      isCurrentRound(payload),
      isUnchanged
        ? { polledAt }
        : { ...changes, processingState: "complete", lastProcessedAt: time, polledAt, updatedAt: time }
    )
  })

  /** Stores an error, or a new version if the content differs from that of the latest version. */
  const storeOutcome = Effect.fnUntraced(function* (
    payload: Payload,
    outcome: Result.Result<SpecContent, SpecReadError>
  ): Effect.fn.Return<void, StorageUnavailable> {
    if (Result.isFailure(outcome)) {
      const { code, problems } = outcome.failure
      yield* complete(payload, { errorCode: code, problems })
      return
    }
    const spec = yield* records.first(openApiSpecs, { where: isCurrentRound(payload) })
    if (spec === undefined) return
    const { problems: warnings, ...content } = outcome.success
    const problems = warnings.length === 0 ? null : warnings
    const last =
      spec.lastVersion === null
        ? undefined
        : yield* records.get(openApiVersions, { id: spec.lastVersion }, ["hash"])
    if (last?.hash === content.hash) {
      yield* complete(payload, { errorCode: null, problems })
      return
    }
    const id = SpecVersionId.make(yield* ids.next)
    yield* records.insert(openApiVersions, {
      id,
      organization: spec.organization,
      spec: spec.id,
      ...content,
      createdAt: yield* now
    })
    yield* complete(payload, { errorCode: null, problems, lastVersion: id })
    yield* events.publish(OpenApiSpecChanged, { organization: spec.organization })
  })

  return { records, complete, storeOutcome }
})

const makeSpecProcessing = Effect.gen(function* () {
  const jobs = yield* Jobs
  const { lockedTransaction } = yield* Records
  const pollIntervalMillis = yield* OpenApiPollInterval
  const { download, readDocuments } = makeSpecReader(yield* Fetcher, yield* SpecParser)
  let largeInProgress = 0
  const { records, storeOutcome, complete } = yield* makeOutcomes

  const loadSource = Effect.fnUntraced(function* ({ id, sourceURL }: SpecRow) {
    if (sourceURL !== null) return yield* download(sourceURL)
    const stored = yield* records.get(openApiTexts, { spec: id })
    const source: SourceDocument = { body: utf8ToBytes(stored?.text ?? ""), url: undefined }
    return source
  })

  /** Reads documents, at most {@link maximumLarge} large ones concurrently. Returns undefined if there are too many. */
  const readWithinLimits = Effect.fnUntraced(function* (source: SourceDocument) {
    if (source.body.length < largeBytes) return yield* readDocuments(source)
    if (largeInProgress >= maximumLarge) return undefined
    largeInProgress++
    return yield* Effect.ensuring(
      readDocuments(source),
      Effect.sync(() => {
        largeInProgress--
      })
    )
  })

  const handler: JobHandler = {
    kind: processSpec,
    locks: (given) => Locks.organizationOfSpec(payloadOf(given)),
    run: Effect.fnUntraced(function* (given) {
      const payload = payloadOf(given)
      const spec = yield* records.first(openApiSpecs, { where: isCurrentRound(payload) })
      if (spec === undefined) return Effect.void
      if (payload.isPoll !== true && spec.processingState !== "progress") {
        yield* lockedTransaction(
          Locks.organizationOfSpec(payload),
          records.update(openApiSpecs, isCurrentRound(payload), { processingState: "progress" })
        )
      }
      const outcome = yield* loadSource(spec).pipe(
        Effect.flatMap(readWithinLimits),
        Effect.map((content) => Result.succeed(content)),
        Effect.catchTag("SpecReadError", (error) => Effect.succeed(Result.fail(error)))
      )
      if (Result.isFailure(outcome)) return storeOutcome(payload, Result.fail(outcome.failure))
      return outcome.success === undefined
        ? jobs.enqueue(processSpec, payload, largeRetryMillis)
        : storeOutcome(payload, Result.succeed(outcome.success))
    }),
    onDead: (given) =>
      complete(payloadOf(given), {
        errorCode: "PARSE_ERROR",
        problems: [problemOf("INTERNAL_ERROR", "The source could not be processed. Set the source again.")]
      })
  }

  /** Schedules reading the URLs of specs that were last read before the interval, the oldest first. */
  const schedulePolls = Effect.gen(function* () {
    if (pollIntervalMillis === 0) return
    const before = toTimestamp((yield* Clock.currentTimeMillis) - pollIntervalMillis)
    const isDue = Where.and<SpecRow>(
      Where.eq("processingState", "complete"),
      Where.not(Where.isNull("sourceURL")),
      Where.not(records.inSelect("organization", organizations, "id", Where.not(Where.isNull("deletedAt")))),
      Where.or<SpecRow>(Where.isNull("polledAt"), Where.lte("polledAt", before))
    )
    const due = yield* records.find(openApiSpecs, {
      where: isDue,
      orderBy: ["polledAt"],
      limit: maximumPolls,
      select: ["id", "round"]
    })
    for (const { id, round } of due) {
      const payload: Payload = { spec: id, round, isPoll: true }
      yield* lockedTransaction(
        Locks.organizationOfSpec(payload),
        Effect.gen(function* () {
          const where = Where.and<SpecRow>(isCurrentRound(payload), isDue)
          const claimed = yield* records.update(openApiSpecs, where, { polledAt: yield* now })
          if (claimed > 0) yield* jobs.enqueue(processSpec, payload)
        })
      )
    }
  })

  return {
    handlers: [handler, housekeepingJob("poll-openapi-specs", pollPause, schedulePolls)]
  }
})

/** The methods of {@link SpecProcessing}. */
export interface SpecProcessingService extends Effect.Success<typeof makeSpecProcessing> {}

/** Reads the sources of specs in the background: `handlers` are its jobs. */
export class SpecProcessing extends Context.Service<SpecProcessing, SpecProcessingService>()(
  "@lectern/core/SpecProcessing"
) {
  static readonly layer: Layer.Layer<SpecProcessing, never, Records | TransactionEvents | Ids | Jobs> =
    Layer.effect(SpecProcessing, makeSpecProcessing)
}
