/** Organizations that are not in the trash. */

import type { StorageUnavailable } from "@lectern/kernel"
import { isInUse, organizations } from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"
import type { GrantedReader } from "./grants/Grant.ts"

/** Fails with `NotFound` if an organization does not exist, or is in the trash. */
export const requireInUse = Effect.fnUntraced(function* (
  records: GrantedReader,
  id: OrganizationId
): Effect.fn.Return<void, NotFound | StorageUnavailable> {
  if (!isInUse(yield* records.get(organizations, { id }, ["deletedAt"])))
    return yield* NotFound.of("organization")
})
