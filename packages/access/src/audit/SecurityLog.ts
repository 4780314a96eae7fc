/** The security log of a server: denied calls of callers who are not members, which no audit log contains. */
import { Context, type Effect } from "effect"

/** A call that was denied to a caller who is not a member of the organization. */
export interface SecurityLogEntry {
  /** The operation, as in `Spaces.remove`. */
  readonly operation: string
  /** The reason of the error, as in `SpaceNotFound`. */
  readonly reason: string
  /** The id of the user; absent without one. */
  readonly user?: string
  /** The id of the API token; absent without one. */
  readonly token?: string
  /** The IP address of the client; absent if it is unknown. */
  readonly address?: string
  /** The id of the HTTP request; absent for calls that were not sent over HTTP. */
  readonly requestId?: string
  /** How many earlier denials of the caller were not logged, because they exceeded the limit; absent if none. */
  readonly suppressed?: number
}

/**
 * Writes an entry of the security log; undefined by default. It is called at most 600 times per minute. It is read when the
 * workspace is built.
 */
export const SecurityLog = Context.Reference<((entry: SecurityLogEntry) => Effect.Effect<void>) | undefined>(
  "@lectern/core/SecurityLog",
  { defaultValue: () => undefined }
)
