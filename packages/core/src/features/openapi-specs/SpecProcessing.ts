/** The background job that fetches and parses the source of a spec, and stores a new version or an error code. */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Layer, Result, Schema } from "effect"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import { Locks } from "../../access/operations/Locks.ts"
import { TransactionEvents } from "../../kernel/events/TransactionEvents.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import type { JobHandler } from "../../kernel/jobs/Jobs.ts"
import { Fetcher } from "../../kernel/network/Fetcher.ts"
import { Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import {
  maximumBytes,
  openApiSpecs,
  openApiTexts,
  openApiVersions,
  type ProcessErrorCode,
  type SpecRow,
  SpecVersionId,
  type SpecVersionRow
} from "../../model/openapi-specs/OpenApiSpec.ts"
import { OpenApiSpecChanged } from "../../model/openapi-specs/OpenApiSpecEvents.ts"
import type { ParsedDocument } from "./parseDocument.ts"
import { SpecParser } from "./SpecParser.ts"

/** The kind of the job. */
export const processSpec = "openapi"

/** The payload of the job: a spec, and the round of processing that it belongs to. A later round supersedes it. */
const Payload = Schema.Struct({ spec: Schema.String, round: Schema.Int })

/** The timeout for fetching a document, in milliseconds. */
const fetchMillis = 30_000

/** The maximum number of documents of a spec. */
const maximumFiles = 50

/** A document as it was received. */
interface Source {
  readonly body: Uint8Array
  readonly contentType: string
  /** The URL that it was fetched from; undefined if it was uploaded. */
  readonly url: string | undefined
}

/** The stored content of a version. A different hash is a new version. */
type Content = Pick<SpecVersionRow, "hash" | "contentType" | "document" | "files">

/** The error of a source that cannot be fetched or parsed. */
class SpecReadError extends Schema.TaggedError<SpecReadError>()("SpecReadError", { code: Schema.String }) {}

const specError = (code: ProcessErrorCode) => new SpecReadError({ code })

const isJson = (text: string): boolean => text.trimStart().startsWith("{")

/** The name of a document among the files of a spec: the last segment of its URL, or a default name. */
const fileNameOf = (url: string | undefined, text: string): string => {
  const last = url === undefined ? undefined : new URL(url).pathname.split("/").at(-1)
  return last === undefined || last === "" ? `openapi.${isJson(text) ? "json" : "yaml"}` : last
}

const makeSpecProcessing = Effect.gen(function* () {
  const events = yield* TransactionEvents
  const { lockedTransaction } = yield* Records
  const { records } = yield* SystemGrant.make("Reads the sources of OpenAPI specs, in background jobs.")
  const ids = yield* Ids
  const fetch = yield* Fetcher
  const parse = yield* SpecParser

  const download = (url: string): Effect.Effect<Source, SpecReadError> =>
    fetch({
      url,
      accept: "application/json, application/yaml, text/yaml, */*;q=0.5",
      maximumBytes,
      timeoutMillis: fetchMillis
    }).pipe(
      Effect.catchTag("UpstreamTimeout", () => Effect.fail(specError("FETCH_TIMEOUT"))),
      Effect.catchTag("UpstreamFailed", () => Effect.fail(specError("FETCH_ERROR")))
    )

  const loadSource = Effect.fnUntraced(function* ({ id, sourceURL }: SpecRow) {
    if (sourceURL !== null) return yield* download(sourceURL)
    const stored = yield* records.get(openApiTexts, { spec: id })
    const text = stored?.text ?? ""
    const source: Source = {
      body: utf8ToBytes(text),
      contentType: isJson(text) ? "application/json" : "application/yaml",
      url: undefined
    }
    return source
  })

  const parseText = (text: string, isFirst: boolean): Effect.Effect<ParsedDocument, SpecReadError> =>
    Effect.catchTag(parse(text, isFirst), "ParseFailed", () => Effect.fail(specError("PARSE_ERROR")))

  /** Parses a document and, transitively, the documents that it references, each once. */
  const readDocuments = Effect.fnUntraced(function* (
    first: Source
  ): Effect.fn.Return<Content, SpecReadError> {
    const text = new TextDecoder().decode(first.body)
    const main = yield* parseText(text, true)
    const files = new Map([[fileNameOf(first.url, text), main]])
    const seen = new Set(first.url === undefined ? [] : [first.url])
    const queue = main.files.map((file) => ({ file, from: first.url, name: file }))
    let remainingBytes = maximumBytes - first.body.length
    for (const { file, from, name } of queue) {
      const url = URL.canParse(file, from) ? new URL(file, from).href : undefined
      if (url === undefined) return yield* specError("PARSE_ERROR")
      if (seen.has(url)) continue
      seen.add(url)
      if (seen.size > maximumFiles) return yield* specError("PARSE_ERROR")
      const source = yield* download(url)
      remainingBytes -= source.body.length
      if (remainingBytes < 0) return yield* specError("PARSE_ERROR")
      const document = yield* parseText(new TextDecoder().decode(source.body), false)
      files.set(name, document)
      queue.push(...document.files.map((next) => ({ file: next, from: source.url, name: next })))
    }
    const entries = Array.from(files, ([name, { json }]) => `${JSON.stringify(name)}:${json}`)
    const hashes = Array.from(files, ([name, { hash }]) => `${name} ${hash}`).join("\n")
    return {
      hash: bytesToHex(sha256(utf8ToBytes(hashes))),
      contentType: isJson(text) ? "application/json" : "application/yaml",
      document: first.body,
      files: utf8ToBytes(`{${entries.join(",")}}`)
    }
  })

  /** Matches the spec unless a later round has been scheduled. */
  const isCurrentRound = (payload: typeof Payload.Type): Where.Where<SpecRow> =>
    Where.and<SpecRow>(Where.eq("id", payload.spec), Where.eq("round", payload.round))

  /** Marks the processing as complete and applies the changes, unless a later round has been scheduled. */
  const complete = Effect.fnUntraced(function* (payload: typeof Payload.Type, changes: Partial<SpecRow>) {
    const { id, ...set } = changes
    const time = yield* now
    return yield* records.update(openApiSpecs, isCurrentRound(payload), {
      ...set,
      processingState: "complete",
      lastProcessedAt: time,
      updatedAt: time
    })
  })

  /** Stores an error code, or a new version if the content differs from that of the latest version. */
  const storeOutcome = Effect.fnUntraced(function* (
    payload: typeof Payload.Type,
    outcome: Result.Result<Content, SpecReadError>
  ): Effect.fn.Return<void, StorageUnavailable> {
    if (Result.isFailure(outcome)) {
      yield* complete(payload, { errorCode: outcome.failure.code as ProcessErrorCode })
      return
    }
    const spec = yield* records.first(openApiSpecs, { where: isCurrentRound(payload) })
    if (spec === undefined) return
    const last =
      spec.lastVersion === null
        ? undefined
        : yield* records.get(openApiVersions, { id: spec.lastVersion }, ["hash"])
    if (last?.hash === outcome.success.hash) {
      yield* complete(payload, { errorCode: null })
      return
    }
    const id = SpecVersionId.make(yield* ids.next)
    yield* records.insert(openApiVersions, {
      id,
      spec: spec.id,
      ...outcome.success,
      createdAt: yield* now
    })
    yield* complete(payload, { errorCode: null, lastVersion: id })
    yield* events.publish(OpenApiSpecChanged, { organization: spec.organization })
  })

  const handler: JobHandler = {
    kind: processSpec,
    locks: (given) => Locks.organizationOfSpec(given as typeof Payload.Type),
    run: Effect.fnUntraced(function* (given) {
      const payload = Payload.make(given as typeof Payload.Type)
      const spec = yield* records.first(openApiSpecs, { where: isCurrentRound(payload) })
      if (spec === undefined) return Effect.void
      yield* lockedTransaction(
        Locks.organizationOfSpec(payload),
        records.update(openApiSpecs, isCurrentRound(payload), { processingState: "progress" })
      )
      const outcome = yield* loadSource(spec).pipe(
        Effect.flatMap(readDocuments),
        Effect.map((content) => Result.succeed(content) as Result.Result<Content, SpecReadError>),
        Effect.catchTag("SpecReadError", (error) => Effect.succeed(Result.fail(error)))
      )
      return storeOutcome(payload, outcome)
    }),
    onDead: (given) =>
      Effect.asVoid(complete(Payload.make(given as typeof Payload.Type), { errorCode: "PARSE_ERROR" }))
  }
  return { handler }
})

/** The methods of {@link SpecProcessing}. */
export interface SpecProcessingService extends Effect.Success<typeof makeSpecProcessing> {}

/** Processes the sources of specs in the background: its `handler` is the job handler. */
export class SpecProcessing extends Context.Service<SpecProcessing, SpecProcessingService>()(
  "@lectern/core/SpecProcessing"
) {
  static readonly layer: Layer.Layer<SpecProcessing, never, Records | TransactionEvents | Ids> = Layer.effect(
    SpecProcessing,
    makeSpecProcessing
  )
}
