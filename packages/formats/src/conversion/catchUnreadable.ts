/** Distinguishes content that cannot be converted from conversions that fail, for example because their thread ended. */

import { StorageUnavailable } from "@lectern/kernel"
import { Effect } from "effect"
import { NotReadable } from "./NotReadable.ts"

/** The error of a conversion. It is transient if the conversion can succeed when it is repeated. */
interface ConversionError {
  readonly message: string
  readonly isTransient?: boolean
}

/**
 * Handles the error of content that exceeds the limits of the converters, or that cannot be parsed. After a transient error, it
 * fails with `StorageUnavailable` instead, because the result must not depend on the load of the server.
 */
export const unlessTransient = <E extends ConversionError, B, E2>(
  error: E,
  handle: (error: E) => Effect.Effect<B, E2>
): Effect.Effect<B, E2 | StorageUnavailable> =>
  error.isTransient === true
    ? Effect.fail(new StorageUnavailable({ reason: "ConversionFailed", detail: error.message }))
    : handle(error)

/** Handles content that cannot be converted, as {@link unlessTransient} does. */
export const catchUnreadable = <A, E, B, E2>(
  conversion: Effect.Effect<A, E | NotReadable>,
  handle: (error: NotReadable) => Effect.Effect<B, E2>
): Effect.Effect<A | B, Exclude<E, NotReadable> | E2 | StorageUnavailable> =>
  Effect.catchIf(
    conversion,
    (error): error is E & NotReadable => error instanceof NotReadable,
    (error) => unlessTransient<NotReadable, B, E2>(error, handle)
  ) as Effect.Effect<A | B, Exclude<E, NotReadable> | E2 | StorageUnavailable>
