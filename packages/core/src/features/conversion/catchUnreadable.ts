/** Distinguishes content that cannot be converted from conversions that fail, for example because their thread ended. */
import { Effect } from "effect"
import { StorageUnavailable } from "../../kernel/storage/StorageError.ts"
import { NotReadable } from "./NotReadable.ts"

/**
 * Handles content that exceeds the limits of the converters, or that cannot be parsed. A conversion that can succeed
 * when it is repeated fails with `StorageUnavailable` instead, because its result must not depend on the load of the server.
 */
export const catchUnreadable = <A, E, B, E2>(
  conversion: Effect.Effect<A, E | NotReadable>,
  handle: (error: NotReadable) => Effect.Effect<B, E2>
): Effect.Effect<A | B, Exclude<E, NotReadable> | E2 | StorageUnavailable> =>
  Effect.catchIf(
    conversion,
    (error): error is E & NotReadable => error instanceof NotReadable,
    (error): Effect.Effect<B, E2 | StorageUnavailable> =>
      error.isTransient === true
        ? Effect.fail(new StorageUnavailable({ reason: "ConversionFailed", detail: error.message }))
        : handle(error)
  ) as Effect.Effect<A | B, Exclude<E, NotReadable> | E2 | StorageUnavailable>
