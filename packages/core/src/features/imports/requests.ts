/** What an import asks for outside. */
import { Effect } from "effect"
import { InvalidInput, type UpstreamFailed, type UpstreamTimeout } from "../../kernel/errors.ts"
import type { Fetch } from "../../kernel/network/Fetcher.ts"
import type { Read } from "../conversion/ImportReader.ts"
import type { NotReadable } from "../conversion/Readings.ts"

/** What every kind of import works with. */
export interface Outside {
  readonly fetch: Fetch
  readonly read: Read
  /** See `markOf`. */
  readonly mark: string
}

/** What an import can end with before anything is written. */
export type GatherFailure = InvalidInput | UpstreamFailed | UpstreamTimeout

/** The address leads to something else than what it was said to. */
export const wrong = (message: string): InvalidInput => InvalidInput.at("url", message)

/** What is asked for cannot be read: the caller has given the wrong address. */
export const orWrong = <A>(effect: Effect.Effect<A, NotReadable>): Effect.Effect<A, InvalidInput> =>
  Effect.catchTag(effect, "NotReadable", ({ message }) => Effect.fail(wrong(message)))
