/** Converts rows of sessions to resources. */

import { toTimestamp, Where } from "@lectern/kernel"
import { describeDevice, type SessionRow } from "@lectern/kernel/tables"
import type { Session, SessionId } from "@lectern/model/sessions"

/** Matches the sessions of a condition that have not ended. */
export const whereOpen = (
  where: Where.Where<SessionRow>,
  time: number,
  idleMillis: number
): Where.Where<SessionRow> =>
  Where.and<SessionRow>(
    where,
    Where.gt("expiresAt", toTimestamp(time)),
    Where.gt("lastUsedAt", toTimestamp(time - idleMillis))
  )

/** Converts a row to the resource. `current` is the session of the request. */
export const presentSession = (current: SessionId | undefined, row: SessionRow): Session => {
  const device = row.userAgent === null ? undefined : describeDevice(row.userAgent)
  return {
    object: "session",
    id: row.id,
    user: row.user,
    current: current === row.id,
    method: row.method,
    ...(row.organization === null ? {} : { organization: row.organization }),
    ...(device === undefined ? {} : { device }),
    ...(row.address === null ? {} : { address: row.address }),
    createdAt: row.createdAt,
    authenticatedAt: row.authenticatedAt,
    lastUsedAt: row.lastUsedAt,
    expiresAt: row.expiresAt
  }
}
