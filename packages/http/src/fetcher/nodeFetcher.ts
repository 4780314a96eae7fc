/**
 * The fetcher on Node. It resolves names itself and connects to the very address that it has checked, so that DNS
 * rebinding cannot change it in between; every redirect is checked in the same way.
 */
import { lookup as lookupName } from "node:dns/promises"
import { request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { isIP } from "node:net"
import type { Readable } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import { type Fetch, type Fetched, type FetchRequest, UpstreamFailed, UpstreamTimeout } from "@lectern/core"
import { Effect } from "effect"
import { destinations, type IsAllowed, type Resolved } from "./Destinations.ts"

/** Options of a fetcher. */
export interface NodeFetcherOptions {
  /** Private places that may be reached: networks (`10.0.0.0/8`), addresses and hosts, with a port or without. */
  readonly allow?: ReadonlyArray<string>
  /** Finds the addresses of a name; the system's resolver by default. */
  readonly resolve?: (host: string) => Promise<ReadonlyArray<Resolved>>
}

/** The most redirects that are followed (decision D12). */
const maximumRedirects = 5

/** The most bytes of the headers of an answer. */
const maximumHeaders = 32 * 1024

const upstreamFailed = (message: string) => new UpstreamFailed({ reason: "FetchFailed", message })

const systemResolver = (host: string): Promise<ReadonlyArray<Resolved>> =>
  lookupName(host, { all: true, verbatim: true })

/** What undoes the encodings of bodies that are asked for. */
const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress()
}

/** The checked destination of a request. */
interface Target {
  readonly url: URL
  readonly address: Resolved
}

/** Resolves a URL and checks every address that its name has, because any of them could be connected to. */
const resolveAndCheck = async (
  url: URL,
  isAllowed: IsAllowed,
  resolve: NonNullable<NodeFetcherOptions["resolve"]>
): Promise<Target> => {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw upstreamFailed("Only http and https addresses are fetched.")
  }
  if (url.username !== "" || url.password !== "") {
    throw upstreamFailed("Addresses with a name or a password in them are not fetched.")
  }
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase()
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port)
  const family = isIP(host)
  const found = family === 0 ? await resolve(host).catch(() => []) : [{ address: host, family }]
  const [first] = found
  // The same message for both cases, so that callers cannot probe the names of a private network.
  if (first === undefined || !found.every(({ address }) => isAllowed(host, port, address))) {
    throw upstreamFailed("The address is not one of the public network.")
  }
  return { url, address: first }
}

/** Reads a body, no further than the limit: what is larger, before or after it is decompressed, is no answer. */
const readBody = (stream: Readable, encoding: string, limit: number): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const decoder = encoding === "" || encoding === "identity" ? undefined : decoders[encoding]?.()
    if (decoder === undefined && encoding !== "" && encoding !== "identity") {
      reject(upstreamFailed("The answer is encoded in a way that was not asked for."))
      return
    }
    const source = decoder === undefined ? stream : stream.pipe(decoder)
    const chunks: Array<Buffer> = []
    const broken = () => reject(upstreamFailed("The answer broke off, or is not what it says."))
    stream.on("error", broken)
    source.on("error", broken)
    stream.on("aborted", broken)
    /** Counts what comes, and breaks off what is too much. */
    const within = () => {
      let size = 0
      return (chunk: Buffer): boolean => {
        size += chunk.length
        if (size <= limit) return true
        // Said first: that it is broken off now is heard here too.
        reject(upstreamFailed(`The answer is larger than ${limit} bytes.`))
        stream.destroy()
        return false
      }
    }
    if (source !== stream) stream.on("data", within())
    const isWithin = within()
    source.on("data", (chunk: Buffer) => {
      if (isWithin(chunk)) chunks.push(chunk)
    })
    source.on("end", () => resolve(Buffer.concat(chunks)))
  })

type Answer =
  | { readonly _tag: "Redirect"; readonly location: string }
  | { readonly _tag: "Fetched"; readonly fetched: Fetched }

/** Asks one server. */
const ask = (
  { url, address }: Target,
  { accept, maximumBytes }: FetchRequest,
  signal: AbortSignal
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? requestHttps : requestHttp
    const outgoing = send(
      url,
      {
        agent: false,
        signal,
        maxHeaderSize: maximumHeaders,
        // The name was resolved, and what came was looked at: nothing else is connected to.
        lookup: (_, options, callback) =>
          options.all === true ? callback(null, [address]) : callback(null, address.address, address.family),
        headers: {
          "user-agent": "Lectern",
          accept: accept ?? "*/*",
          "accept-encoding": "gzip, deflate, br"
        }
      },
      (incoming) => {
        const { statusCode: status = 0, headers } = incoming
        if (status >= 300 && status < 400 && headers.location !== undefined) {
          incoming.destroy()
          resolve({ _tag: "Redirect", location: headers.location })
          return
        }
        if (status < 200 || status >= 300) {
          incoming.destroy()
          reject(upstreamFailed(`The server answered with the status ${status}.`))
          return
        }
        const encoding = (headers["content-encoding"] ?? "").trim().toLowerCase()
        readBody(incoming, encoding, maximumBytes).then((body) => {
          const contentType = (headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase()
          resolve({ _tag: "Fetched", fetched: { url: url.href, status, contentType, body } })
        }, reject)
      }
    )
    outgoing.on("error", (error) =>
      reject(error instanceof UpstreamFailed ? error : upstreamFailed("The server cannot be reached."))
    )
    outgoing.end()
  })

/** A fetcher for Node: what `Fetcher` asks for, and what D12 says of it. */
export const nodeFetcher = ({ allow = [], resolve = systemResolver }: NodeFetcherOptions = {}): Fetch => {
  const isAllowed = destinations(allow)

  const follow = async (request: FetchRequest, signal: AbortSignal): Promise<Fetched> => {
    if (!URL.canParse(request.url)) throw upstreamFailed("The address is not a valid URL.")
    let url = new URL(request.url)
    for (let redirects = 0; ; redirects++) {
      const answer = await ask(await resolveAndCheck(url, isAllowed, resolve), request, signal)
      if (answer._tag === "Fetched") return answer.fetched
      if (redirects === maximumRedirects)
        throw upstreamFailed(`The address redirects more than ${maximumRedirects} times.`)
      if (!URL.canParse(answer.location, url))
        throw upstreamFailed("The address redirects to an invalid URL.")
      const next = new URL(answer.location, url)
      if (url.protocol === "https:" && next.protocol !== "https:") {
        throw upstreamFailed("The address redirects from https to http.")
      }
      url = next
    }
  }

  return (request) =>
    Effect.tryPromise({
      try: (signal) => follow(request, signal),
      catch: (error) =>
        error instanceof UpstreamFailed ? error : upstreamFailed("The address cannot be fetched.")
    }).pipe(
      Effect.timeoutOrElse({
        duration: request.timeoutMillis,
        orElse: () =>
          Effect.fail(
            new UpstreamTimeout({
              reason: "Timeout",
              message: `Nothing came within ${request.timeoutMillis / 1000} seconds.`
            })
          )
      })
    )
}
