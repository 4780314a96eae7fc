/** Revokes tokens when their SAML provider or their membership is removed. */

import type { GrantedRecords } from "@lectern/access"
import { now, type StorageUnavailable, Where } from "@lectern/kernel"
import { type ApiTokenRow, apiTokens } from "@lectern/kernel/tables"
import { Effect } from "effect"

/** Revokes the tokens that match a condition, with immediate effect. */
export const revokeTokens = (
  records: GrantedRecords,
  where: Where.Where<ApiTokenRow>
): Effect.Effect<void, StorageUnavailable> =>
  Effect.flatMap(now, (revokedAt) =>
    Effect.asVoid(
      records.update(apiTokens, Where.and<ApiTokenRow>(where, Where.isNull("revokedAt")), { revokedAt })
    )
  )
