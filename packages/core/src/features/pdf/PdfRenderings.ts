/**
 * Renders PDFs in background jobs, and stores them until they expire. A row has the progress of a PDF and then the hash of
 * its bytes, so that every process on the store can report and serve it. Requests run the jobs too: a server without
 * background workers renders PDFs, and the next request runs the job of a process that has crashed.
 */

import { SystemGrant } from "@lectern/access"
import { type PdfFailed, PdfMaker, type PdfProgress } from "@lectern/formats"
import {
  JobFailed,
  type JobHandler,
  Jobs,
  now,
  type ReadableBytes,
  Records,
  type StorageUnavailable,
  type StoredBytes,
  toTimestamp,
  Where
} from "@lectern/kernel"
import { sha256 } from "@lectern/kernel/sha256"
import { pdfs, type StoredPdfRow } from "@lectern/kernel/tables"
import { Conflict } from "@lectern/model/errors"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { Base64Url } from "effect/encoding"
import type { ComputedPages } from "../content/ComputedPages.ts"
import type { ContentAccess } from "../content/ContentAccess.ts"
import { ContentStore } from "../content/ContentStore.ts"
import type { FileUrls } from "../content/FileUrls.ts"
import { makePdfBooks, type PdfContent } from "./PdfBooks.ts"

/** The kind of the jobs that render PDFs. */
export const renderPdfJob = "pdf"

/**
 * How long a PDF is stored, in milliseconds: 3 hours. This is shorter than the 12 hours for which garbage collection
 * retains blobs after they are stored, so that it needs no list of PDFs.
 */
const storedMillis = 3 * 60 * 60 * 1000

/** The time that a request waits for a PDF. It is below the timeouts of common proxies. */
const waitTime = "20 seconds"

/** The first and the longest pause between queries of a PDF that a request waits for, in milliseconds. */
const firstPollMillis = 10
const longestPollMillis = 500

/** The pause between writes of the progress. */
const progressInterval = "1 second"

/** The maximum number of jobs that requests run concurrently in a process. */
const maximumWorkers = 2

/** The maximum number of PDFs of a workspace that are rendered or wait. */
const maximumUnfinished = 100

/** The state of a PDF: complete, or in progress. */
export type RenderedPdf = { readonly file: ReadableBytes } | { readonly progress: PdfProgress }

const idOf = ({ space, revision, changeRequest, page, only, edition }: PdfContent): string =>
  Base64Url.encode(sha256(JSON.stringify([space, revision, changeRequest, page, only, edition])))

const converterMissing = new Conflict({
  reason: "ConverterMissing",
  message: "This server cannot export PDFs: the package @lectern/converters is not installed."
})

const notRendered = (message: string) => new Conflict({ reason: "PdfNotRendered", message })

const makeRendering = Effect.gen(function* () {
  const records = yield* Records
  const { files } = yield* ContentStore
  const books = yield* makePdfBooks
  const { grant } = yield* SystemGrant.make("Renders PDFs in background jobs.")

  /** Updates a PDF that is rendered, in a transaction of its own, which waits for no command. */
  const update = (id: string, set: Partial<Omit<StoredPdfRow, "id">>) =>
    Effect.asVoid(
      records.update(pdfs, Where.and<StoredPdfRow>(Where.eq("id", id), Where.eq("state", "rendering")), set)
    )

  const complete = Effect.fnUntraced(function* (id: string, stored: StoredBytes) {
    yield* files.link(stored)
    const expiresAt = toTimestamp((yield* Clock.currentTimeMillis) + storedMillis)
    yield* update(id, { state: "complete", hash: stored.hash, expiresAt })
  })

  const fail = (id: string, error: string) => update(id, { state: "failed", error })

  /** Stores the progress that `latest` returns whenever it has changed, until it is interrupted. */
  const storeProgress = (id: string, latest: () => PdfProgress): Effect.Effect<never> => {
    let stored = latest()
    const store = Effect.suspend(() => {
      const progress = latest()
      if (progress === stored) return Effect.void
      stored = progress
      return Effect.catchTag(update(id, { ...progress }), "StorageUnavailable", (error) =>
        Effect.logWarning("PDF progress", error.reason)
      )
    })
    return Effect.forever(Effect.andThen(Effect.sleep(progressInterval), store))
  }

  /** Renders a PDF and stores its chunks as they are rendered. Returns undefined if its content no longer exists. */
  const render = Effect.fnUntraced(function* (
    content: PdfContent
  ): Effect.fn.Return<StoredBytes | undefined, PdfFailed | JobFailed | StorageUnavailable> {
    const makePdf = yield* PdfMaker
    if (makePdf === undefined) return yield* new JobFailed({ message: converterMissing.message })
    const source = yield* books.find(grant, content)
    const book = source === undefined ? undefined : yield* books.collect(source, content)
    if (book === undefined) return undefined
    let progress: PdfProgress = { rendered: 0, total: 0 }
    const bytes = makePdf(book, (latest) => {
      progress = latest
    })
    return yield* Effect.raceFirst(
      files.write(bytes),
      storeProgress(idOf(content), () => progress)
    )
  })

  const handler: JobHandler = {
    kind: renderPdfJob,
    locks: () => [],
    run: Effect.fnUntraced(function* (given) {
      const content = given as PdfContent
      const id = idOf(content)
      const row = yield* records.get(pdfs, { id })
      if (row?.state !== "rendering") return Effect.void
      return yield* render(content).pipe(
        Effect.map((stored) =>
          stored === undefined ? fail(id, "The content no longer exists.") : complete(id, stored)
        ),
        Effect.catchTag("PdfFailed", ({ message }) => Effect.succeed(fail(id, message)))
      )
    }),
    onDead: (given) => fail(idOf(given as PdfContent), "This content cannot be rendered as a PDF.")
  }

  return { handler }
})

const makeQueue = Effect.gen(function* () {
  const records = yield* Records
  const jobs = yield* Jobs
  const { files } = yield* ContentStore

  /** Inserts a PDF, or replaces an expired or failed one, and enqueues its job. */
  const enqueue = Effect.fnUntraced(function* (
    content: PdfContent
  ): Effect.fn.Return<void, Conflict | StorageUnavailable> {
    const time = yield* Clock.currentTimeMillis
    const isUnfinished = Where.and<StoredPdfRow>(
      Where.eq("state", "rendering"),
      Where.gt("expiresAt", toTimestamp(time))
    )
    if ((yield* records.count(pdfs, isUnfinished)) >= maximumUnfinished) {
      return yield* notRendered("Too many PDFs are being rendered. Try again later.")
    }
    const id = idOf(content)
    const started: Omit<StoredPdfRow, "id"> = {
      state: "rendering",
      rendered: 0,
      total: 0,
      hash: null,
      error: null,
      expiresAt: toTimestamp(time + storedMillis)
    }
    const isReplaceable = Where.and<StoredPdfRow>(
      Where.eq("id", id),
      Where.or<StoredPdfRow>(Where.eq("state", "failed"), Where.lte("expiresAt", toTimestamp(time)))
    )
    yield* records.lockedTransaction(
      [],
      Effect.gen(function* () {
        if (
          (yield* records.insertMissing(pdfs, [{ id, ...started }])) > 0 ||
          (yield* records.update(pdfs, isReplaceable, started)) > 0
        )
          yield* jobs.enqueue(renderPdfJob, content)
      })
    )
  })

  /** Returns a PDF that has not expired. A complete one without bytes counts as expired. */
  const find = Effect.fnUntraced(function* (content: PdfContent) {
    const id = idOf(content)
    const row = yield* records.get(pdfs, { id })
    if (row === undefined || row.expiresAt <= (yield* now)) return undefined
    if (row.state !== "complete") return { row, file: undefined }
    const file = yield* files.open(row.hash!)
    if (file !== undefined) return { row, file }
    yield* records.remove(pdfs, Where.eq<StoredPdfRow, "id">("id", id))
    return undefined
  })

  return { enqueue, find }
})

const makePdfRenderings = Effect.gen(function* () {
  const records = yield* Records
  const jobs = yield* Jobs
  const scope = yield* Effect.scope
  let workers = 0
  const { handler } = yield* makeRendering
  const { find, enqueue } = yield* makeQueue
  const handlers = new Map([[renderPdfJob, handler]])

  /** Runs jobs until none is due, unless enough workers do. They outlive the request, and end with the workspace. */
  const startWorker = Effect.suspend(() => {
    if (workers >= maximumWorkers) return Effect.void
    workers++
    const drain = Effect.gen(function* () {
      while (yield* jobs.runOne(handlers)) yield* Effect.yieldNow
    }).pipe(
      Effect.catchTag("StorageUnavailable", (error) => Effect.logWarning("PDF jobs", error.reason)),
      Effect.ensuring(
        Effect.sync(() => {
          workers--
        })
      )
    )
    return Effect.asVoid(Effect.forkIn(Effect.interruptible(drain), scope))
  })

  /** Waits until a PDF is complete, and fails with the reason if it is not rendered. */
  const wait = Effect.fnUntraced(function* (
    content: PdfContent,
    onProgress: (progress: PdfProgress) => void
  ): Effect.fn.Return<RenderedPdf, Conflict | StorageUnavailable> {
    let pauseMillis = firstPollMillis
    for (;;) {
      const found = yield* find(content)
      if (found === undefined) yield* enqueue(content)
      else if (found.file !== undefined) return { file: found.file }
      else if (found.row.state === "failed") return yield* notRendered(found.row.error!)
      else onProgress({ rendered: found.row.rendered, total: found.row.total })
      yield* startWorker
      yield* Effect.sleep(pauseMillis)
      pauseMillis = Math.min(pauseMillis * 2, longestPollMillis)
    }
  })

  return {
    /** The job handler. */
    handler,

    /** Deletes expired PDFs. Garbage collection deletes their bytes. */
    purge: Effect.flatMap(now, (time) =>
      records.remove(pdfs, Where.lte<StoredPdfRow, "expiresAt">("expiresAt", time))
    ),

    /** Renders a PDF again if it has failed. */
    retry: Effect.fnUntraced(function* (content: PdfContent) {
      if ((yield* find(content))?.row.state === "failed") yield* enqueue(content)
    }),

    /**
     * Returns a PDF, or its progress if it is not complete after 20 s. It is rendered unless it is stored or in progress. In a
     * transaction, whose job starts after the commit, it returns the progress without waiting.
     */
    get: Effect.fnUntraced(function* (
      content: PdfContent
    ): Effect.fn.Return<RenderedPdf, Conflict | StorageUnavailable> {
      if ((yield* PdfMaker) === undefined) return yield* converterMissing
      let progress: PdfProgress = { rendered: 0, total: 0 }
      if (yield* records.isInTransaction) {
        if ((yield* find(content)) === undefined) yield* enqueue(content)
        return { progress }
      }
      const rendered = yield* Effect.timeoutOption(
        wait(content, (latest) => {
          progress = latest
        }),
        waitTime
      )
      return Option.getOrElse(rendered, () => ({ progress }))
    })
  }
})

/** The methods of {@link PdfRenderings}. */
export interface PdfRenderingsService extends Effect.Success<typeof makePdfRenderings> {}

/** Renders PDFs in background jobs and stores them. */
export class PdfRenderings extends Context.Service<PdfRenderings, PdfRenderingsService>()(
  "@lectern/core/PdfRenderings"
) {
  static readonly layer: Layer.Layer<
    PdfRenderings,
    never,
    Records | Jobs | ContentAccess | ContentStore | ComputedPages | FileUrls
  > = Layer.effect(PdfRenderings, makePdfRenderings)
}
