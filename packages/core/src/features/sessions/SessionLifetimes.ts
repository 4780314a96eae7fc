/** How long sessions last. */
import { Context } from "effect"

/** How long sessions last, in milliseconds. */
export interface SessionLifetimesSettings {
  /** The time without a request after which a session ends. */
  readonly idleMillis: number
  /** The time after the sign-in when a session ends, also if it is in use. */
  readonly absoluteMillis: number
}

const dayMillis = 24 * 60 * 60 * 1_000

/** How long sessions last: by default, 7 days without a request and at most 30 days. It is read when the workspace is built. */
export const SessionLifetimes = Context.Reference<SessionLifetimesSettings>(
  "@lectern/core/SessionLifetimes",
  { defaultValue: () => ({ idleMillis: 7 * dayMillis, absoluteMillis: 30 * dayMillis }) }
)
