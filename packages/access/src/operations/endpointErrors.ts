/** The errors that endpoints declare without the definitions of their operations. */

import type { StorageUnavailable } from "@lectern/kernel"
import type { Forbidden, InvalidInput } from "@lectern/model/errors"
import type { Effect } from "effect"

/**
 * Removes the errors from an effect that every endpoint of a command declares: the service of an operation does not repeat them in its
 * interface. Limits of tokens, roles that the caller cannot grant, hooks of hosts and the audit log fail with them.
 */
export const declaredByEndpoints = <A, E, R>(
  effect: Effect.Effect<A, E | Forbidden | InvalidInput | StorageUnavailable, R>
): Effect.Effect<A, E, R> => effect as Effect.Effect<A, E, R>
