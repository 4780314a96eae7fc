/**
 * The one way out: every request that the product makes goes through the fetcher, which refuses what is private,
 * takes no more than it was told to, and gives up in time. What reaches the network is the host's to bring.
 */
import { Context, Effect } from "effect"
import { UpstreamFailed, type UpstreamTimeout } from "../errors.ts"

/** What is fetched. */
export interface FetchRequest {
  /** An http or https address. */
  readonly url: string
  /** The types that are welcome; any by default. */
  readonly accept?: string
  /** The most bytes of the body, after it is decompressed. */
  readonly maximumBytes: number
  /** How long all of it may take, redirects too, in milliseconds. */
  readonly timeoutMillis: number
}

/** What came. */
export interface Fetched {
  /** The address that it came from, after redirects. */
  readonly url: string
  readonly status: number
  /** In lower case, without parameters; empty where it is not said. */
  readonly contentType: string
  readonly body: Uint8Array
}

/** Fetches. It fails with `UpstreamFailed` for whatever is not fetched, or is no success, in time. */
export type Fetch = (request: FetchRequest) => Effect.Effect<Fetched, UpstreamFailed | UpstreamTimeout>

/** The fetcher. Without one that a host brings, nothing is fetched. */
export const Fetcher = Context.Reference<Fetch>("@lectern/core/Fetcher", {
  defaultValue: () => () =>
    Effect.fail(
      new UpstreamFailed({ message: "This workspace fetches nothing: its host has brought no fetcher." })
    )
})
