/** Authorization of operations on integrations and on their installations. */

import {
  type Authorization,
  addAuditConcerns,
  addAuditDetails,
  CurrentUser,
  type Granted,
  type GrantedReader,
  noteCheck,
  requireGrantableScopes,
  type SystemGrant
} from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type InstallationRow,
  type IntegrationRow,
  installations,
  integrations,
  type MemberRow,
  type OrganizationRow,
  organizations
} from "@lectern/kernel/tables"
import { Forbidden, NotFound } from "@lectern/model/errors"
import type { InstallationId, IntegrationName } from "@lectern/model/integrations"
import type { OrganizationId } from "@lectern/model/organizations"
import { organizationActions } from "@lectern/model/roles"
import { Effect } from "effect"
import { isAdministrator, listableOrganizations, membershipsOf } from "./IntegrationView.ts"

/** The memberships of the caller, by organization. */
export type Memberships = ReadonlyMap<OrganizationId, MemberRow>

/** An integration that the caller can see, and the caller's memberships. */
export interface VisibleIntegration extends Granted {
  readonly integration: IntegrationRow
  /** Whether its owner is in use. Only organizations that have installed it see one whose owner is in the trash. */
  readonly isOffered: boolean
  readonly memberships: Memberships
}

/** An installation that the caller can see, with its integration. */
export interface VisibleInstallation extends VisibleIntegration {
  readonly installation: InstallationRow
  /**
   * Fails with `Forbidden` unless the caller can choose the content that the integration has access to: an administrator of the
   * organization that installed it, without a token of the installation.
   */
  readonly requireInstaller: Effect.Effect<void, Forbidden>
}

/**
 * Adds organizations to the audit record of the call. Only the records of organizations that the caller is a member of name
 * the caller.
 */
export const noteConcerns = (
  memberships: Memberships,
  organizations: ReadonlyArray<OrganizationId>
): Effect.Effect<void> =>
  addAuditConcerns(
    Effect.sync(() => organizations.map((one) => [one, memberships.has(one) ? "caller" : "nobody"] as const))
  )

/**
 * Fails with `Forbidden` unless the member is an administrator. `purpose` completes the message "This requires the role
 * "admin" in the organization …".
 */
export const requireAdministrator = (
  member: MemberRow | undefined,
  purpose: string
): Effect.Effect<void, Forbidden> =>
  member !== undefined && isAdministrator(member)
    ? noteCheck(["organization", member.organization, "administrate"], Effect.void)
    : Effect.fail(
        new Forbidden({
          reason: "RoleTooLow",
          message: `This requires the role "${organizationActions.administrate}" in the organization ${purpose}.`
        })
      )

/** The error of a token of an installation, which acts for an administrator but must not extend its own access. */
const selectedByToken = new Forbidden({
  reason: "ScopeTooNarrow",
  message:
    "A token of an installation cannot choose its spaces and sites. An administrator of the organization must send the request with another token."
})

/** Matches integrations whose owner is not in the trash. */
export const isOfferedBy = (records: GrantedReader): Where.Where<IntegrationRow> =>
  records.inSelect(
    "organization",
    organizations,
    "id",
    Where.isNull<OrganizationRow, "deletedAt">("deletedAt")
  )

const loadIntegration = Effect.fnUntraced(function* (
  { records, grant }: SystemGrant,
  name: IntegrationName
): Effect.fn.Return<VisibleIntegration, NotFound | StorageUnavailable, CurrentUser> {
  const isNamed = Where.eq<IntegrationRow, "name">("name", name)
  const [offered, memberships] = yield* records.zipConcurrent(
    records.first(integrations, { where: Where.and<IntegrationRow>(isNamed, isOfferedBy(records)) }),
    Effect.flatMap(CurrentUser, (user) => membershipsOf(records, user))
  )
  const isOffered = offered !== undefined
  const integration = isOffered ? offered : yield* records.first(integrations, { where: isNamed })
  if (integration === undefined) return yield* NotFound.of("integration")
  const readable = listableOrganizations(memberships)
  if (!isOffered || (integration.visibility === "private" && !readable.includes(integration.organization))) {
    const installed = yield* records.count(
      installations,
      Where.and<InstallationRow>(
        Where.eq("integration", integration.id),
        Where.isIn("organization", readable)
      )
    )
    if (installed === 0) return yield* NotFound.of("integration")
  }
  yield* addAuditDetails({ integration: name })
  return { grant, integration, isOffered, memberships, lockedOrganizations: [...memberships.keys()] }
})

const loadInstallation = Effect.fnUntraced(function* (
  directory: SystemGrant,
  name: IntegrationName,
  id: InstallationId
): Effect.fn.Return<VisibleInstallation, NotFound | StorageUnavailable, CurrentUser> {
  const { integration, isOffered, memberships } = yield* loadIntegration(directory, name)
  const installation = yield* directory.records.get(installations, { id })
  if (installation?.integration !== integration.id) return yield* NotFound.of("installation")
  const { token } = yield* CurrentUser
  const isVisible =
    (token?.installation === undefined || token.installation === id) &&
    (isAdministrator(memberships.get(integration.organization)) ||
      isAdministrator(memberships.get(installation.organization)))
  if (!isVisible) return yield* NotFound.of("installation")
  yield* noteConcerns(memberships, [integration.organization, installation.organization])
  return {
    grant: directory.grant,
    integration,
    isOffered,
    memberships,
    lockedOrganizations: [...memberships.keys(), installation.organization],
    installation,
    requireInstaller:
      token?.installation === undefined
        ? requireAdministrator(memberships.get(installation.organization), "that installed the integration")
        : Effect.fail(selectedByToken)
  }
})

/**
 * Authorizes operations on integrations and installations.
 *
 * Public and unlisted integrations are visible to all users. A private one is visible to the members of its owner except
 * for guests, and to the members of organizations that installed it before it became private, so that they can uninstall it, as is one whose
 * owner is in the trash. An
 * installation is visible to the administrators of the owner of its integration and of its own organization.
 */
export const integrationAuthorizations = (directory: SystemGrant) => {
  return {
    integration: (
      action: "view" | "install" | "administrate" | "unpublish"
    ): Authorization<
      { readonly integration: IntegrationName },
      VisibleIntegration,
      NotFound | Forbidden,
      CurrentUser
    > => ({
      rule: {
        kind: "policy",
        action: `integration.${action}`,
        role:
          action === "unpublish" || action === "administrate"
            ? organizationActions.administrate
            : "by relation",
        ...(action === "install" ? { byInput: ["organization.administrate"] } : {})
      },
      check: Effect.fnUntraced(function* ({ integration: name }) {
        const found = yield* loadIntegration(directory, name)
        yield* noteConcerns(found.memberships, [found.integration.organization])
        if (action === "unpublish" || action === "administrate") {
          const owner = found.memberships.get(found.integration.organization)
          yield* requireAdministrator(owner, "that owns the integration")
        }
        return found
      })
    }),

    /** `byInput` are actions that some inputs require as well: see `requireInstaller`. */
    installation: (
      action: "view" | "update" | "install" | "remove" | "authenticate",
      ...byInput: ReadonlyArray<"install">
    ): Authorization<
      { readonly integration: IntegrationName; readonly installation: InstallationId },
      VisibleInstallation,
      NotFound | Forbidden,
      CurrentUser
    > => ({
      rule: {
        kind: "policy",
        action: `installation.${action}`,
        role: organizationActions.administrate,
        ...(byInput.length === 0 ? {} : { byInput: byInput.map((name) => `installation.${name}`) })
      },
      check: Effect.fnUntraced(function* ({ integration: name, installation: id }) {
        const found = yield* loadInstallation(directory, name, id)
        if (action === "remove" || action === "install") yield* found.requireInstaller
        if (action === "install")
          yield* requireGrantableScopes(found.installation.scopes ?? found.integration.manifest.scopes)
        if (action === "authenticate") {
          const owner = found.memberships.get(found.integration.organization)
          yield* requireAdministrator(owner, "that owns the integration")
        }
        return found
      })
    })
  }
}
