/** Caches spaces as resources, with which their JSON is cached. */

import { type Caller, CurrentUser } from "@lectern/access"
import { makeVersionedCache, type Records, type StorageUnavailable } from "@lectern/kernel"
import { CacheScope, type SpaceRow } from "@lectern/kernel/tables"
import type { RoleOrGuest } from "@lectern/model/roles"
import type { Page } from "@lectern/model/schema"
import type { Space } from "@lectern/model/spaces"
import { Effect } from "effect"
import { presentSpace } from "../../views/spaces/SpaceView.ts"

/** The maximum number of spaces in the lists that are cached. */
const maximumListedSpaces = 5_000

/** Creates the caches of single spaces and of lists. */
export const makeCachedSpaces = (records: Records["Service"]) => {
  const presented = new WeakMap<
    SpaceRow,
    {
      readonly base: string
      readonly role: RoleOrGuest
      readonly inOrganization: RoleOrGuest
      readonly space: Space
    }
  >()
  const lists = makeVersionedCache<Page<Space>>(records, "space lists", maximumListedSpaces, {
    sizeOf: ({ items }) => 1 + items.length
  })

  // The caller was loaded before the lookup, perhaps before a revocation. The user is thus not a sufficient key: the list
  // for the caller before a revocation would be returned to the one after it.
  const callerNumbers = new WeakMap<Caller, number>()
  let lastCallerNumber = 0
  const numberOf = (caller: Caller): number => {
    const assigned = callerNumbers.get(caller)
    if (assigned !== undefined) return assigned
    callerNumbers.set(caller, ++lastCallerNumber)
    return lastCallerNumber
  }

  return {
    /** Presents a row. The result for a cached row, which is frozen, is the same object each time. */
    present: (base: string, row: SpaceRow, role: RoleOrGuest, inOrganization: RoleOrGuest): Space => {
      const cached = presented.get(row)
      if (cached?.base === base && cached.role === role && cached.inOrganization === inOrganization) {
        return cached.space
      }
      const space = presentSpace(base, row, role, inOrganization)
      if (Object.isFrozen(row))
        presented.set(row, { base, role, inOrganization, space: Object.freeze(space) })
      return space
    },

    /** Returns the list that a caller with the same token has requested with the same input, or reads it. */
    list: <E, R>(
      caller: Caller,
      base: string,
      input: object,
      read: () => Effect.Effect<Page<Space>, E, R>
    ): Effect.Effect<Page<Space>, E | StorageUnavailable, R | CurrentUser> =>
      Effect.flatMap(CurrentUser, ({ token }) =>
        lists(
          {
            key: JSON.stringify([numberOf(caller), base, input, token?.site, token?.installation]),
            scopes: ({ items }) => [
              CacheScope.organization(caller.organization),
              ...(token?.site === undefined ? [] : [CacheScope.site(token.site)]),
              ...items.map(({ id }) => CacheScope.space(id))
            ]
          },
          read
        )
      )
  }
}
