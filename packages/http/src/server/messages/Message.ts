/** Requests and responses of the dispatcher, independent of the server that receives and sends them. */
import type { InvalidInput } from "@lectern/core"
import type { Effect } from "effect"
import type { BodyTooLarge } from "./failures.ts"

/** A request to the dispatcher. */
export interface ApiRequest {
  /** The HTTP method, in upper case. */
  readonly method: string
  /** The path and the query, without the prefix that the API is mounted under. */
  readonly url: string
  /** Returns the value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined
  /** Reads the body. Evaluated at most once, and only by operations that have a body. */
  readonly body: Effect.Effect<Uint8Array, BodyTooLarge | InvalidInput>
}

/** A response of the dispatcher. Without a body, it has no content type. */
export interface ApiResponse {
  /** The HTTP status. */
  readonly status: number
  /** The headers, by name in lower case. */
  readonly headers: Record<string, string>
  /** The body, as text or bytes. */
  readonly body: string | Uint8Array | undefined
}

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
