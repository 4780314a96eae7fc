/**
 * The port of the safe fetcher, which every outbound HTTP request goes through. An implementation rejects addresses
 * that are not publicly routable, and bounds the size and the duration of every response. `@lectern/http` has one for
 * Node.
 */

import { UpstreamFailed, type UpstreamTimeout } from "@lectern/model/errors"
import { Context, Effect, type Scope, type Stream } from "effect"

/** A request to fetch a URL. */
export interface FetchRequest {
  /** An `http:` or `https:` URL. */
  readonly url: string
  /**
   * A body to send, with the method `POST` unless `method` is set. Redirects are not followed. Without `isResponseRead`, the
   * response can have any status, and its body is not read. Without `post`, the method is `GET`.
   */
  readonly post?: {
    readonly body: Uint8Array
    readonly headers: Readonly<Record<string, string>>
    readonly isResponseRead?: boolean
    readonly method?: "POST" | "PUT" | "PATCH" | "DELETE"
  }
  /** Whether a response with any status succeeds. By default, the request fails unless the status is 200 to 299. */
  readonly acceptsAnyStatus?: boolean
  /** Headers to send, for example credentials. They are omitted after a redirect to another origin. */
  readonly headers?: Readonly<Record<string, string>>
  /** The `Accept` header; any media type by default. */
  readonly accept?: string
  /** The maximum size of the decompressed body, in bytes. */
  readonly maximumBytes: number
  /** The timeout of the whole exchange including redirects, in milliseconds. */
  readonly timeoutMillis: number
}

/** A successful response. */
export interface Fetched {
  /** The final URL, after redirects. */
  readonly url: string
  /** The HTTP status: 200 to 299, or any in response to a `POST` whose response is not read, and with `acceptsAnyStatus`. */
  readonly status: number
  /** The `Retry-After` header of the response. Absent without such a header, or if the body is not read. */
  readonly retryAfter?: string
  /** The media type in lower case without parameters; empty if the response has no `Content-Type`. */
  readonly contentType: string
  /** The decompressed body. */
  readonly body: Uint8Array
}

/** A successful response whose body is read as it arrives. */
export interface FetchedStream extends Omit<Fetched, "body"> {
  /** The decompressed body. Fails with the errors of {@link Fetch}. */
  readonly body: Stream.Stream<Uint8Array, UpstreamFailed | UpstreamTimeout>
}

/** Fetches URLs. */
export interface Fetch {
  /**
   * Fetches a URL. Fails with `UpstreamTimeout` after `timeoutMillis`, and with `UpstreamFailed` if the URL is not
   * permitted, the connection fails, the response is too large, or its status is not a success.
   */
  (request: FetchRequest): Effect.Effect<Fetched, UpstreamFailed | UpstreamTimeout>
  /**
   * Fetches a URL like the function itself, and does not hold the body in memory. The connection closes with the scope.
   * Optional: without it, large files are fetched as a whole.
   */
  readonly stream?: (
    request: FetchRequest
  ) => Effect.Effect<FetchedStream, UpstreamFailed | UpstreamTimeout, Scope.Scope>
}

/** The fetcher of the workspace. The default fails every request with the reason `FetcherMissing`. */
export const Fetcher = Context.Reference<Fetch>("@lectern/core/Fetcher", {
  defaultValue: () => () =>
    Effect.fail(
      new UpstreamFailed({
        reason: "FetcherMissing",
        message: "Outbound requests are not configured: provide the `Fetcher` service."
      })
    )
})
