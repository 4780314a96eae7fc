/** Revokes tokens when their SAML provider or their membership is removed. */
import { Effect } from "effect"
import type { GrantedRecords } from "../../access/grants/Grant.ts"
import { type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import { type ApiTokenRow, apiTokens } from "../../tables/tokens/apiTokenTable.ts"

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
