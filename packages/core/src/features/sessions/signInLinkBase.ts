/** The base URL of links that sign in, in the result of the current request. */

import { isLoopbackHost, PublicUrl, RequestBaseUrl } from "@lectern/kernel"
import { Effect } from "effect"

const isOnThisMachine = (base: string): boolean => isLoopbackHost(new URL(base).host)

/**
 * Creates the effect that returns the base URL of links that sign in: the public URL, with the name of this machine by which the
 * request came, such as `localhost`. The host of a proxy never applies: a forged one must not receive the secret of a link.
 */
export const makeSignInLinkBase: Effect.Effect<Effect.Effect<string>> = Effect.map(PublicUrl, (configured) =>
  Effect.map(RequestBaseUrl, (requested) =>
    requested !== undefined && isOnThisMachine(configured) && isOnThisMachine(requested)
      ? requested
      : configured
  )
)
