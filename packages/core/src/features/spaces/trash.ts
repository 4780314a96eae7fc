/** The trash of an organization: its list, and the permanent removal of spaces whose retention has expired. */

import {
  type Access,
  type Caller,
  type GrantedReader,
  type GrantedRecords,
  Locks,
  roleOn
} from "@lectern/access"
import { type Records, type StorageUnavailable, toTimestamp, Where } from "@lectern/kernel"
import { grants, type SpaceRow, spaces } from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import { isAtLeast, spaceActions } from "@lectern/model/roles"
import { retentionMillis, type SpaceId, type SpaceTrash } from "@lectern/model/spaces"
import { Clock, Effect } from "effect"
import { presentSpaceFor } from "../../views/spaces/SpaceView.ts"

/** The maximum number of spaces in the trash that are listed. */
const maximumTrashed = 500

/** The last time of deletion whose retention has expired. */
const lastExpired = Effect.map(Clock.currentTimeMillis, (millis) => toTimestamp(millis - retentionMillis))

/** Returns the spaces in the trash that the caller can restore, the last deleted one first: at most 500. */
export const readTrash = Effect.fnUntraced(function* (
  access: Access["Service"],
  records: GrantedReader,
  caller: Caller,
  organization: OrganizationId,
  base: string
) {
  const rows = yield* records.find(spaces, {
    where: Where.and<SpaceRow>(
      Where.eq("organization", organization),
      Where.not(Where.isNull("deletedAt")),
      Where.gt("deletedAt", yield* lastExpired),
      yield* access.whereVisible(caller)
    )
  })
  const items = rows
    .filter((row) => isAtLeast(roleOn(caller, row), spaceActions.restore))
    .toSorted((one, other) => (one.deletedAt! < other.deletedAt! ? 1 : -1))
    .slice(0, maximumTrashed)
    .map((row) => presentSpaceFor(base, caller, row))
  return { items } satisfies SpaceTrash
})

/**
 * Removes the spaces whose retention has expired, and their permissions, after `onPurge`, and returns their number: in one transaction per
 * organization, so that each waits only for the writers of its organization.
 */
export const purgeTrash = Effect.fnUntraced(function* (
  records: GrantedRecords,
  lockedTransaction: Records["Service"]["lockedTransaction"],
  onPurge: (spaces: ReadonlyArray<SpaceId>) => Effect.Effect<void, StorageUnavailable>
): Effect.fn.Return<number, StorageUnavailable> {
  const isExpired = Where.lte<SpaceRow, "deletedAt">("deletedAt", yield* lastExpired)
  const found = yield* records.find(spaces, { select: ["organization"], where: isExpired })
  let purged = 0
  for (const organization of new Set(found.map((row) => row.organization))) {
    const expired = Where.and<SpaceRow>(Where.eq("organization", organization), isExpired)
    purged += yield* lockedTransaction(
      Locks.organization({ organization }),
      Effect.gen(function* () {
        const rows = yield* records.find(spaces, { select: ["id"], where: expired })
        yield* onPurge(rows.map(({ id }) => id))
        yield* records.remove(grants, records.inSelect("target", spaces, "id", expired))
        return yield* records.remove(spaces, expired)
      })
    )
  }
  return purged
})
