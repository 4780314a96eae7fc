/**
 * The `Fetcher` for Node. It resolves host names itself and connects to the address that it has checked, so that DNS
 * rebinding cannot change it in between. Redirects are checked in the same way.
 */
import { lookup as lookupName } from "node:dns/promises"
import { type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { isIP } from "node:net"
import { pipeline, type Transform } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import { type Fetch, type Fetched, type FetchRequest, UpstreamFailed, UpstreamTimeout } from "@lectern/core"
import { Effect, Stream } from "effect"
import { createDestinationFilter, type DestinationFilter, type ResolvedAddress } from "./Destinations.ts"

/** Options of {@link nodeFetcher}. */
export interface NodeFetcherOptions {
  /**
   * Private networks (`10.0.0.0/8`), addresses and hosts that can be reached, in addition to public addresses. Addresses
   * and hosts can have a port. None by default.
   */
  readonly allow?: ReadonlyArray<string>
  /** Resolves a host name to its addresses. By default, the resolver of the operating system. */
  readonly resolve?: (host: string) => Promise<ReadonlyArray<ResolvedAddress>>
}

/** The maximum number of redirects of one request. */
const maximumRedirects = 5

/** The maximum size of the headers of a response, in bytes. */
const maximumHeaderBytes = 32 * 1024

const upstreamFailed = (message: string) => new UpstreamFailed({ reason: "FetchFailed", message })

/** The failures that a repetition of the request has too. They are not part of the error, which callers of the API receive. */
const permanentFailures = new WeakSet<object>()

/** Whether a repetition of the request cannot succeed, because the fetcher sends no request to the URL, or to a redirect of it. */
export const isPermanentFailure = (error: object): boolean => permanentFailures.has(error)

const refused = (message: string): UpstreamFailed => {
  const error = upstreamFailed(message)
  permanentFailures.add(error)
  return error
}

const timedOut = ({ timeoutMillis }: FetchRequest) =>
  new UpstreamTimeout({
    reason: "Timeout",
    message: `The server did not respond within ${timeoutMillis / 1000} s.`
  })

const systemResolver = (host: string): Promise<ReadonlyArray<ResolvedAddress>> =>
  lookupName(host, { all: true, verbatim: true })

/** Decompressors of the content encodings that requests accept. */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress()
}

/** The checked destination of a request. */
interface Target {
  readonly url: URL
  readonly address: ResolvedAddress
}

/** Resolves a URL and checks every address that its name has, because any of them could be connected to. */
const resolveAndCheck = async (
  url: URL,
  isAllowed: DestinationFilter,
  resolve: NonNullable<NodeFetcherOptions["resolve"]>
): Promise<Target> => {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refused("The URL must begin with http:// or https://.")
  }
  if (url.username !== "" || url.password !== "") {
    throw refused("The URL must not contain a user name or a password.")
  }
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase()
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port)
  const family = isIP(host)
  const addresses = family === 0 ? await resolve(host).catch(() => []) : [{ address: host, family }]
  const [first] = addresses
  // The same message for both cases, so that callers cannot probe the names of a private network.
  if (first === undefined || !addresses.every(({ address }) => isAllowed(host, port, address))) {
    const message =
      "The address is not publicly routable. The operator can allow it with LECTERN_FETCH_ALLOW."
    // The name may have an address later.
    throw first === undefined ? upstreamFailed(message) : refused(message)
  }
  return { url, address: first }
}

/** Yields the decompressed chunks of a body. Fails if more than `limit` bytes arrive, compressed or decompressed. */
const readChunks = async function* (
  incoming: IncomingMessage,
  encoding: string,
  limit: number
): AsyncGenerator<Buffer, void, undefined> {
  const message = `The response is larger than ${limit} bytes.`
  const tooLarge = new UpstreamFailed({ reason: "ResponseTooLarge", message })
  try {
    const isPlain = encoding === "" || encoding === "identity"
    const decoder = isPlain ? undefined : decoders[encoding]?.()
    if (decoder === undefined && !isPlain)
      throw upstreamFailed("The response has an unsupported content encoding.")
    let received = 0
    if (decoder !== undefined) {
      incoming.on("data", (chunk: Buffer) => {
        received += chunk.length
        if (received > limit) incoming.destroy(tooLarge)
      })
    }
    // Errors of the connection destroy the decoder, which is read.
    const source: AsyncIterable<Buffer> =
      decoder === undefined ? incoming : pipeline(incoming, decoder, () => {})
    let size = 0
    for await (const chunk of source) {
      size += chunk.length
      if (size > limit) throw tooLarge
      yield chunk
    }
  } catch (error) {
    throw error instanceof UpstreamFailed ? error : upstreamFailed("The response ended early or is corrupt.")
  } finally {
    incoming.destroy()
  }
}

/** The chunks of a body that is not read. */
async function* noChunks(): AsyncGenerator<Buffer, void, undefined> {}

/** A response whose body has not been read yet. */
interface OpenResponse extends Omit<Fetched, "body"> {
  readonly chunks: AsyncGenerator<Buffer, void, undefined>
}

type FetchResult =
  | { readonly _tag: "Redirect"; readonly location: string }
  | { readonly _tag: "Opened"; readonly response: OpenResponse }

/** Sends one request to a checked destination. */
const sendRequest = (
  { url, address }: Target,
  { accept, maximumBytes, post, headers: given, acceptsAnyStatus }: FetchRequest,
  signal: AbortSignal
): Promise<FetchResult> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? requestHttps : requestHttp
    const outgoing = send(
      url,
      {
        method: post === undefined ? "GET" : (post.method ?? "POST"),
        agent: false,
        signal,
        maxHeaderSize: maximumHeaderBytes,
        // Connects to the address that was checked, without resolving the name again.
        lookup: (_, options, callback) =>
          options.all === true ? callback(null, [address]) : callback(null, address.address, address.family),
        headers: {
          "user-agent": "Lectern",
          accept: accept ?? "*/*",
          "accept-encoding": "gzip, deflate, br",
          ...given,
          ...(post === undefined ? {} : { ...post.headers, "content-length": String(post.body.length) })
        }
      },
      (incoming) => {
        const { statusCode: status = 0, headers } = incoming
        if (post !== undefined && post.isResponseRead !== true) {
          incoming.destroy()
          resolve({
            _tag: "Opened",
            response: { url: url.href, status, contentType: "", chunks: noChunks() }
          })
          return
        }
        if (post === undefined && status >= 300 && status < 400 && headers.location !== undefined) {
          incoming.destroy()
          resolve({ _tag: "Redirect", location: headers.location })
          return
        }
        if ((status < 200 || status >= 300) && acceptsAnyStatus !== true) {
          incoming.destroy()
          reject(upstreamFailed(`The server responded with status ${status}.`))
          return
        }
        const encoding = (headers["content-encoding"] ?? "").trim().toLowerCase()
        const contentType = (headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase()
        // Without a listener, an error before the first chunk is read would end the process.
        incoming.on("error", () => {})
        const chunks = readChunks(incoming, encoding, maximumBytes)
        const retryAfter = headers["retry-after"]
        resolve({
          _tag: "Opened",
          response: {
            url: url.href,
            status,
            contentType,
            chunks,
            ...(retryAfter === undefined ? {} : { retryAfter })
          }
        })
      }
    )
    outgoing.on("error", (error) =>
      reject(error instanceof UpstreamFailed ? error : upstreamFailed("The server cannot be reached."))
    )
    outgoing.end(post?.body)
  })

/**
 * Creates a `Fetcher` that performs requests from Node, for imports and for OpenAPI specs that have a URL.
 *
 * It reaches public addresses on the ports 80, 443, 8080 and 8443, and the destinations of `allow`. It follows up to 5 redirects, but
 * none from https to http. It sends no cookies, and the `headers` of a request only to its origin. Its effects fail with `UpstreamTimeout` after the request's
 * `timeoutMillis`, and with `UpstreamFailed` for an address that is not allowed, a status outside of 200 to 299 unless `acceptsAnyStatus` is
 * set, or a body over the request's limit. Throws a `RangeError` if an entry of `allow` is malformed.
 *
 * @example
 * createWorkspace({ storage, fetcher: nodeFetcher({ allow: ["10.0.0.0/8"] }) })
 */
export const nodeFetcher = ({ allow = [], resolve = systemResolver }: NodeFetcherOptions = {}): Fetch => {
  const isAllowed = createDestinationFilter(allow)

  const openFollowingRedirects = async (
    request: FetchRequest,
    signal: AbortSignal
  ): Promise<OpenResponse> => {
    if (!URL.canParse(request.url)) throw refused("The URL is not valid.")
    let url = new URL(request.url)
    for (let redirects = 0; ; redirects++) {
      const target = await resolveAndCheck(url, isAllowed, resolve)
      const { headers: _, ...withoutHeaders } = request
      const isSameOrigin = url.origin === new URL(request.url).origin
      const result = await sendRequest(target, isSameOrigin ? request : withoutHeaders, signal)
      if (result._tag === "Opened") return result.response
      if (redirects === maximumRedirects)
        throw refused(`The URL redirects more than ${maximumRedirects} times.`)
      if (!URL.canParse(result.location, url)) throw refused("The URL redirects to an invalid URL.")
      const next = new URL(result.location, url)
      if (url.protocol === "https:" && next.protocol !== "https:") {
        throw refused("The URL redirects from https to http.")
      }
      url = next
    }
  }

  const stream: NonNullable<Fetch["stream"]> = Effect.fnUntraced(function* (request) {
    const { signal } = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const controller = new AbortController()
        const timer = setTimeout(() => controller.abort(timedOut(request)), request.timeoutMillis)
        return { signal: controller.signal, controller, timer }
      }),
      ({ controller, timer }) =>
        Effect.sync(() => {
          clearTimeout(timer)
          controller.abort()
        })
    )
    const toError = (error: unknown) => {
      if (signal.reason instanceof UpstreamTimeout) return signal.reason
      return error instanceof UpstreamFailed ? error : upstreamFailed("The URL cannot be fetched.")
    }
    const { chunks, ...response } = yield* Effect.tryPromise({
      try: () => openFollowingRedirects(request, signal),
      catch: toError
    })
    return { ...response, body: Stream.fromAsyncIterable(chunks, toError) }
  })

  const fetch = (request: FetchRequest) =>
    Effect.scoped(
      Effect.flatMap(stream(request), ({ body, ...response }) =>
        Effect.map(
          Stream.runCollect(body),
          (chunks): Fetched => ({ ...response, body: Buffer.concat(chunks) })
        )
      )
    )
  return Object.assign(fetch, { stream })
}
