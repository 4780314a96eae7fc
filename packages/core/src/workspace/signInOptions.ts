/** Converts the options of a host for signing in. */

import type { Plain } from "@lectern/access"
import { OidcProviderSettings } from "@lectern/model/oidc"
import { Schema } from "effect"
import type { SessionLifetimesSettings } from "../features/sessions/SessionLifetimes.ts"

const dayMs = 24 * 60 * 60 * 1_000

/** How long sessions last, in days. */
export interface SessionDays {
  /** The time without a request after which a session ends; 7 by default. */
  readonly idle?: number
  /** The time after the sign-in when a session ends; 30 by default. */
  readonly absolute?: number
}

/** Converts the lifetimes of sessions. */
export const sessionLifetimesOf = ({ idle = 7, absolute = 30 }: SessionDays): SessionLifetimesSettings => ({
  idleMillis: Math.min(idle, absolute) * dayMs,
  absoluteMillis: absolute * dayMs
})

const decode = Schema.decodeUnknownSync(OidcProviderSettings)

/** Decodes providers of OpenID Connect. Throws if one is invalid. */
export const decodeProviders = (
  providers: ReadonlyArray<Plain<OidcProviderSettings>> | undefined
): ReadonlyArray<OidcProviderSettings> | undefined => providers?.map((settings) => decode(settings))
