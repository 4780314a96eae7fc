/** Requests and responses of the dispatcher, independent of the server that receives and sends them. */
import type { InvalidInput } from "@lectern/core"
import type { Cause, Effect, Stream } from "effect"
import type { BodyTooLarge } from "./failures.ts"

/** Whose body a request is receiving. */
export interface BodySource {
  /** The key of the signed URL that the body is sent to. */
  readonly url?: string | undefined
  /** The user on whose behalf it is received. */
  readonly user?: string | undefined
  /** The organization that it is received for. */
  readonly organization?: string | undefined
  /** The address of the client; undefined if the server does not report it. */
  readonly address?: string | undefined
}

/** A request to the dispatcher. */
export interface ApiRequest {
  /** The request id: the `X-Request-Id` header of the request, or a generated one. */
  readonly id: string
  /** The HTTP method, in upper case. */
  readonly method: string
  /** The path and the query, without the prefix that the API is mounted under. */
  readonly url: string
  /** Returns the value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined
  /** Reads the body. Evaluated at most once, and only by operations that have a body. */
  readonly body: Effect.Effect<Uint8Array, BodyTooLarge | InvalidInput>
  /**
   * Streams the body as it arrives, instead of `body`. A slow consumer slows the client down. Fails with `BodyTooLarge` after
   * `limit` bytes, and with `InvalidInput` if the body ends early. `source` states whose body it is, for the limits of uploads.
   */
  readonly streamBody: (
    limit: number,
    source?: BodySource
  ) => Stream.Stream<Uint8Array, BodyTooLarge | InvalidInput>
  /**
   * The IP address of the client, or `undefined` if it is unknown. That of the connection, or the one that a trusted proxy
   * reports.
   */
  readonly remoteAddress: string | undefined
  /** The base URL of links in the response, if a trusted proxy reports a host of `publicHosts`. Otherwise, the public URL. */
  readonly baseUrl?: string | undefined
  /** Observes the pattern of the route that the request matches. A request that is interrupted is logged with it. */
  readonly onRoute?: (pattern: string) => void
}

/** Returns the address under which requests of a client are counted. */
export const addressOf = ({ remoteAddress }: Pick<ApiRequest, "remoteAddress">): string =>
  remoteAddress ?? "unknown"

/** The body of a response that is sent while it is produced. */
export interface StreamedBody {
  /** The bytes. A failure, or another number of bytes than `length`, destroys the connection. */
  readonly stream: Stream.Stream<Uint8Array, unknown>
  /** The number of bytes, sent as `Content-Length`, or `undefined` if it is unknown. */
  readonly length: number | undefined
  /** Produces the bytes from `start` up to and without `end`. Without it, the bytes before `start` are produced as well. */
  readonly slice?: (start: number, end: number) => Stream.Stream<Uint8Array, unknown>
}

/** The body of a response: text, bytes or a stream. */
export type ResponseBody = string | Uint8Array | StreamedBody

/** The log of a request, in addition to its method, its status and its duration. */
export interface ResponseOutcome {
  /** The pattern of the route, such as `/v1/spaces/:spaceId`. */
  readonly route?: string
  /** The cause of an error that clients do not see. It is logged at the level `Error`. */
  readonly cause?: Cause.Cause<unknown>
  /** The reason of an error that clients do not see. */
  readonly reason?: string
}

/** A response of the dispatcher. Without a body, it has no content type. */
export interface ApiResponse {
  /** The HTTP status. */
  readonly status: number
  /** The headers, by name in lower case. */
  readonly headers: Record<string, string>
  /** The body. A stream is run at most once, and not in response to HEAD. */
  readonly body: ResponseBody | undefined
  /** Whether the bytes are the same for all requests, so that they are compressed once, and as well as possible. */
  readonly isStatic?: boolean
  /** The log of the request. */
  readonly outcome?: ResponseOutcome
}

/** Whether a body is a stream. */
export const isStreamedBody = (body: ResponseBody | undefined): body is StreamedBody =>
  typeof body === "object" && "stream" in body

/** Returns the number of bytes of a body, or `undefined` if it is unknown. */
export const byteLengthOf = (body: ResponseBody): number | undefined =>
  typeof body === "string" ? Buffer.byteLength(body) : body.length

/** Creates a response whose body is serialized JSON. */
export const jsonResponse = (
  status: number,
  body: string | Uint8Array,
  headers: Record<string, string> = {}
): ApiResponse => {
  headers["content-type"] = "application/json"
  return { status, headers, body }
}

/** Creates a response without a body. */
export const emptyResponse = (status: number, headers: Record<string, string> = {}): ApiResponse => ({
  status,
  headers,
  body: undefined
})

/** Declares, for caches, that a response depends on a header of the request. */
export const addVary = ({ headers }: ApiResponse, name: string): void => {
  headers.vary = headers.vary === undefined ? name : `${headers.vary}, ${name}`
}
