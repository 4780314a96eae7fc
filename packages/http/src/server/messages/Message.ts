/** A request and a response, whatever server they go through. */

import type { InvalidInput } from "@lectern/core"
import type { Effect } from "effect"
import type { BodyTooLarge } from "./failures.ts"

/** What a host hands to the dispatcher. */
export interface ApiRequest {
  readonly method: string
  /** The path with its query, without the prefix that the API is mounted under. */
  readonly url: string
  /** A header by its name in lower case. */
  readonly header: (name: string) => string | undefined
  /** The bytes of the body. Read at most once, and only by operations that take one. */
  readonly body: Effect.Effect<Uint8Array, BodyTooLarge | InvalidInput>
}

/** What a host sends back. Without a body there is no content type either. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array | undefined
}

/** A response with a JSON body, which is given as text or bytes already. */
export const json = (
  status: number,
  body: string | Uint8Array,
  headers: Record<string, string> = {}
): ApiResponse => {
  headers["content-type"] = "application/json"
  return { status, headers, body }
}

/** A response without a body. */
export const empty = (status: number, headers: Record<string, string> = {}): ApiResponse => ({
  status,
  headers,
  body: undefined
})
