/**
 * Calls an API within its rate limits: with bounded concurrency, one pause of all requests after a 429, and repetitions of requests
 * that failed temporarily.
 */
import { Clock, Effect, Random, Schema, Semaphore } from "effect"
import type { IncomingResponse, OutgoingRequest, Transport } from "./Transport.ts"

/** A request failed permanently. */
export class RequestFailed extends Schema.TaggedError<RequestFailed>()("RequestFailed", {
  /** The status of the response; 0 if none arrived. */
  status: Schema.Int,
  /** The code of the reason, of a server of Lectern. */
  reason: Schema.String,
  message: Schema.String,
  /** Whether no complete response can arrive, so that a later run fails too. */
  isPermanent: Schema.optionalKey(Schema.Boolean)
}) {}

/** A resource with its id, which is empty for one without. Its other fields are decoded on use. */
export interface Item {
  readonly id: string
  readonly [field: string]: unknown
}

/** A JSON object of a response. */
export type Fields = Readonly<Record<string, unknown>>

/** The bytes of a file. */
export interface Download {
  readonly body: Uint8Array
  readonly contentType: string
}

/** A call that changes something. */
export interface Change {
  readonly method: "POST" | "PUT" | "PATCH"
  readonly path: string
  readonly body: unknown
  /** A key with which a repetition has no further effect. Without one, the request is repeated only if `isRepeatable`. */
  readonly idempotencyKey?: string
  /** Whether a repetition has no further effect, so that it is sent again although its response was lost. */
  readonly isRepeatable?: boolean
}

/** An API. */
export interface ApiClient {
  /** Reads a resource. */
  readonly get: (path: string) => Effect.Effect<Fields, RequestFailed>
  /** Reads all pages of a list. */
  readonly list: (path: string) => Effect.Effect<ReadonlyArray<Item>, RequestFailed>
  /** Changes a resource. */
  readonly send: (change: Change) => Effect.Effect<Fields, RequestFailed>
  /** Downloads a URL, without credentials. */
  readonly download: (url: string) => Effect.Effect<Download, RequestFailed>
}

/** Options of {@link makeApiClient}. */
export interface ApiClientOptions {
  readonly transport: Transport
  /** The URL of the server, without `/v1`. */
  readonly baseUrl: string
  readonly token: string | undefined
  /** The maximum number of concurrent requests. */
  readonly concurrency: number
  /** The first pause before a repetition, in milliseconds. */
  readonly backoffMillis: number
  /** Called when a request waits. */
  readonly onWait?: (message: string) => Effect.Effect<void>
}

/** The number of times that a request is sent. */
const maximumAttempts = 8

/** The longest pause, in milliseconds: a longer pause that a server requests is limited to it. */
const maximumPauseMillis = 15 * 60_000

/** The maximum number of pauses after a 429 in a row. */
const maximumRateLimitPauses = 50

/** The maximum size of a response with JSON, and of a file, in bytes. */
const maximumJsonBytes = 64 * 1024 * 1024
const maximumFileBytes = 200 * 1024 * 1024

/** The maximum number of pages of a list. */
const maximumPages = 10_000

const transientStatuses = new Set([408, 425, 500, 502, 503, 504])

const Json = Schema.fromJsonString(Schema.Unknown)
const JsonFields = Schema.Record(Schema.String, Schema.Unknown)
const ErrorBody = Schema.Struct({
  error: Schema.Struct({
    message: Schema.optionalKey(Schema.String),
    reason: Schema.optionalKey(Schema.String)
  })
})
const ListPage = Schema.Struct({
  items: Schema.Array(JsonFields),
  next: Schema.optionalKey(Schema.NullOr(Schema.Struct({ page: Schema.optionalKey(Schema.String) })))
})

const decodeText = (body: Uint8Array): string => new TextDecoder().decode(body)

const incomplete = new RequestFailed({ status: 0, reason: "", message: "The response is not complete JSON." })

const isJson = (contentType: string): boolean => /^(?:$|[^;]*[/+]json\b)/i.test(contentType)

const parseFields = ({ body, contentType }: IncomingResponse): Effect.Effect<Fields, RequestFailed> => {
  const text = decodeText(body)
  if (text === "") return Effect.succeed({})
  if (!isJson(contentType)) {
    const message = `The response is ${contentType} instead of JSON. The URL must be that of a server with the API at /v1.`
    return Effect.fail(new RequestFailed({ status: 0, reason: "", message, isPermanent: true }))
  }
  return Schema.decodeUnknownEffect(Json)(text).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(JsonFields)),
    Effect.mapError(() => incomplete)
  )
}

/** The pause that a server requests, in milliseconds. */
const pauseOf = (retryAfter: string | undefined, now: number): number | undefined => {
  if (retryAfter === undefined) return undefined
  const seconds = Number(retryAfter)
  const millis = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(retryAfter) - now
  return Number.isFinite(millis) ? Math.min(Math.max(millis, 0), maximumPauseMillis) : undefined
}

const failureOf = ({ status, body }: IncomingResponse): RequestFailed => {
  const decoded = Schema.decodeUnknownOption(Schema.fromJsonString(ErrorBody))(
    decodeText(body.subarray(0, 100_000))
  )
  const error = decoded._tag === "Some" ? decoded.value.error : {}
  return new RequestFailed({
    status,
    reason: error.reason ?? "",
    message: error.message ?? `The server responded with status ${status}.`
  })
}

/** The outcome of sending a request once: its result, or a response that is not a success. */
type Exchange<A> =
  | { readonly isDone: true; readonly value: A }
  | { readonly isDone: false; readonly response: IncomingResponse }

/** Creates a client. */
export const makeApiClient = Effect.fnUntraced(function* (
  options: ApiClientOptions
): Effect.fn.Return<ApiClient> {
  const { transport, baseUrl, token, backoffMillis, onWait = () => Effect.void } = options
  const permits = yield* Semaphore.make(options.concurrency)
  // One pause for all requests: the limit is that of the token.
  let pausedUntil = 0

  const waitForPause = Effect.gen(function* () {
    for (;;) {
      const remaining = pausedUntil - (yield* Clock.currentTimeMillis)
      if (remaining <= 0) return
      yield* Effect.sleep(remaining)
    }
  })

  const pauseAll = Effect.fnUntraced(function* (response: IncomingResponse, fallback: number) {
    const now = yield* Clock.currentTimeMillis
    const millis = pauseOf(response.retryAfter, now) ?? fallback
    pausedUntil = Math.max(pausedUntil, now + millis)
    yield* onWait(`The rate limit of ${baseUrl} is reached: waiting for ${Math.ceil(millis / 1_000)} s.`)
  })

  /** Sends a request until its response is final. `use` fails for a response that is not complete. */
  const send = Effect.fnUntraced(function* <A>(
    request: OutgoingRequest,
    isRepeatable: boolean,
    use: (response: IncomingResponse) => Effect.Effect<A, RequestFailed>
  ): Effect.fn.Return<A, RequestFailed> {
    let pauses = 0
    for (let attempt = 1; ; ) {
      const backoff = backoffMillis * 2 ** Math.min(attempt - 1, 6) * (0.5 + (yield* Random.next))
      yield* waitForPause
      const exchange = Semaphore.withPermits(
        permits,
        1
      )(transport(request)).pipe(
        Effect.mapError(
          ({ message, isPermanent = false }) =>
            new RequestFailed({ status: 0, reason: "", message, isPermanent })
        ),
        Effect.flatMap(
          (response): Effect.Effect<Exchange<A>, RequestFailed> =>
            response.status >= 200 && response.status < 300
              ? Effect.map(use(response), (value): Exchange<A> => ({ isDone: true, value }))
              : Effect.succeed({ isDone: false, response })
        )
      )
      const result = yield* Effect.result(exchange)
      if (result._tag === "Success" && result.success.isDone) return result.success.value
      const response =
        result._tag === "Success" && !result.success.isDone ? result.success.response : undefined
      if (response?.status === 429 && pauses < maximumRateLimitPauses) {
        pauses++
        yield* pauseAll(response, backoff)
        continue
      }
      const failure =
        response !== undefined ? failureOf(response) : result._tag === "Failure" ? result.failure : incomplete
      const isTransient =
        response === undefined ? failure.isPermanent !== true : transientStatuses.has(response.status)
      if (!isTransient || !isRepeatable || attempt >= maximumAttempts) return yield* failure
      attempt++
      const asked =
        response === undefined ? undefined : pauseOf(response.retryAfter, yield* Clock.currentTimeMillis)
      const millis = Math.max(asked ?? 0, backoff)
      yield* onWait(
        `${request.method} ${new URL(request.url).pathname} failed: ${failure.message} Attempt ${attempt} of ${maximumAttempts} follows in ${Math.ceil(millis / 1_000)} s.`
      )
      yield* Effect.sleep(millis)
    }
  })

  const headers: Readonly<Record<string, string>> = {
    accept: "application/json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
  }

  const get = (path: string) =>
    send(
      { method: "GET", url: `${baseUrl}/v1${path}`, headers, maximumBytes: maximumJsonBytes },
      true,
      parseFields
    )

  const list = Effect.fnUntraced(function* (
    path: string
  ): Effect.fn.Return<ReadonlyArray<Item>, RequestFailed> {
    const all: Array<Item> = []
    let page: string | undefined
    for (let count = 0; count < maximumPages; count++) {
      const query = new URLSearchParams({ limit: "100", ...(page === undefined ? {} : { page }) })
      const response = yield* get(`${path}${path.includes("?") ? "&" : "?"}${query}`)
      const decoded = yield* Effect.mapError(Schema.decodeUnknownEffect(ListPage)(response), () => incomplete)
      for (const item of decoded.items) all.push({ ...item, id: typeof item.id === "string" ? item.id : "" })
      const next = decoded.next?.page
      if (next === undefined || next === page) return all
      page = next
    }
    return all
  })

  const change = ({
    method,
    path,
    body,
    idempotencyKey,
    isRepeatable = idempotencyKey !== undefined
  }: Change) =>
    Effect.gen(function* () {
      const isForm = body instanceof FormData
      const encoded = isForm ? new Response(body) : undefined
      const bytes =
        encoded === undefined
          ? new TextEncoder().encode(JSON.stringify(body))
          : new Uint8Array(yield* Effect.promise(() => encoded.arrayBuffer()))
      const contentType = encoded?.headers.get("content-type") ?? "application/json"
      return yield* send(
        {
          method,
          url: `${baseUrl}/v1${path}`,
          headers: {
            ...headers,
            "content-type": contentType,
            ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
          },
          body: bytes,
          maximumBytes: maximumJsonBytes
        },
        isRepeatable,
        parseFields
      )
    })

  const download = (url: string) =>
    send({ method: "GET", url, headers: {}, maximumBytes: maximumFileBytes }, true, ({ body, contentType }) =>
      Effect.succeed({ body, contentType })
    )

  return { get, list, send: change, download }
})
