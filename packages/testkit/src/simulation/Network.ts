/** The network of a simulation: receivers of webhooks, which fail as the seed decides, and other hosts, which have nothing. */
import { type Fetch, type FetchRequest, UpstreamFailed, UpstreamTimeout } from "@lectern/core"
import { Effect } from "effect"
import type { SeededRandom } from "./random/SeededRandom.ts"

/** How a receiver responds to a request. */
export type Response =
  | "accepts"
  | "rejects"
  | "accepts late"
  | "is lost before"
  | "is lost after"
  | "accepts while the sender stalls"

/** The responses that are failures. */
export const failingResponses: ReadonlyArray<Response> = [
  "rejects",
  "accepts late",
  "is lost before",
  "is lost after",
  "accepts while the sender stalls"
]

/** A request that a receiver has received. */
export interface ReceivedRequest {
  readonly url: string
  readonly delivery: string
  readonly body: string
}

/** The network. */
export interface Network {
  /** Returns the function of a process that fetches URLs. `stall` suspends the process. */
  readonly makeFetch: (stall: () => void) => Fetch
  /** The requests that receivers have received, in order. */
  readonly received: ReadonlyArray<ReceivedRequest>
  /** Whether a receiver has accepted a delivery. */
  readonly isAccepted: (delivery: string) => boolean
  /** The next request ends with this response. */
  readonly failNext: (response: Response) => void
  /** Further requests are accepted. */
  readonly heal: () => void
}

const maximumLatencyMs = 40

const timedOut = new UpstreamTimeout({ reason: "Timeout", message: "The receiver has not responded." })
const failed = new UpstreamFailed({ reason: "FetchFailed", message: "The connection was lost." })

/** Creates a network. */
export const makeNetwork = (random: SeededRandom, onRequest: (response: Response) => void): Network => {
  const received: Array<ReceivedRequest> = []
  const accepted = new Set<string>()
  const pending: Array<Response> = []

  const respond = ({ url, timeoutMillis, post }: FetchRequest, stall: () => void) =>
    Effect.gen(function* () {
      const response = pending.shift() ?? "accepts"
      onRequest(response)
      const latencyMs = 1 + random.below(maximumLatencyMs)
      yield* Effect.sleep(latencyMs)
      if (response === "is lost before") return yield* failed
      received.push({
        url,
        delivery: post?.headers["x-lectern-delivery"] ?? "",
        body: post === undefined ? "" : new TextDecoder().decode(post.body)
      })
      if (response === "is lost after") return yield* failed
      if (response === "accepts while the sender stalls") stall()
      if (response === "accepts late") {
        yield* Effect.sleep(timeoutMillis - latencyMs)
        return yield* timedOut
      }
      yield* Effect.sleep(latencyMs)
      if (response !== "rejects") accepted.add(post?.headers["x-lectern-delivery"] ?? "")
      const status = response === "rejects" ? 500 : 200
      return { url, status, contentType: "", body: new Uint8Array() }
    })

  /** Responds for every other host. */
  const respondNotFound = ({ url }: FetchRequest) =>
    Effect.gen(function* () {
      yield* Effect.sleep(1 + random.below(maximumLatencyMs))
      return yield* new UpstreamFailed({
        reason: "FetchFailed",
        message: `${url} responded with the status 404.`
      })
    })

  return {
    makeFetch: (stall) => (request) =>
      new URL(request.url).hostname.startsWith("receiver-")
        ? respond(request, stall)
        : respondNotFound(request),
    received,
    isAccepted: (delivery) => accepted.has(delivery),
    failNext: (response) => pending.push(response),
    heal: () => {
      pending.length = 0
    }
  }
}
