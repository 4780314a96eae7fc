/** Who may know of an integration: in one place for it and for its installations. */
import { Effect } from "effect"
import { CurrentUser } from "../../access/CurrentUser.ts"
import { NotFound } from "../../kernel/errors.ts"
import { type Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { type InstallationRow, installations } from "../../model/integrations/Installation.ts"
import {
  type IntegrationName,
  type IntegrationRow,
  integrations
} from "../../model/integrations/Integration.ts"
import type { MemberRow } from "../../model/organizations/Member.ts"
import type { OrganizationId } from "../../model/organizations/Organization.ts"
import { membershipsOf } from "./IntegrationView.ts"

/** An integration, and the caller's memberships. */
export interface VisibleIntegration {
  readonly integration: IntegrationRow
  readonly memberships: ReadonlyMap<OrganizationId, MemberRow>
}

/**
 * An integration that the caller may know of. One that is private is there for the members of its owner, and for those
 * of organizations that installed it before it became so: they must be able to see it, and to take it away.
 */
export const loadVisible = Effect.fnUntraced(function* (
  records: Records["Service"],
  name: IntegrationName
): Effect.fn.Return<VisibleIntegration, NotFound | StorageUnavailable, CurrentUser> {
  const [integration, memberships] = yield* records.both(
    records.first(integrations, { where: Where.eq("name", name) }),
    Effect.flatMap(CurrentUser, (user) => membershipsOf(records, user))
  )
  if (integration === undefined) return yield* NotFound.of("integration")
  if (integration.visibility === "private" && !memberships.has(integration.organization)) {
    const installed = yield* records.count(
      installations,
      Where.and<InstallationRow>(
        Where.eq("integration", integration.id),
        Where.isIn("organization", [...memberships.keys()])
      )
    )
    if (installed === 0) return yield* NotFound.of("integration")
  }
  return { integration, memberships }
})
