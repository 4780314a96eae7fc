/** The tables `organizations`, `emailDomains` and `suspensions`. */

import type { StandaloneMergeRules } from "@lectern/model/merge-rules"
import type {
  CommunityType,
  DefaultContent,
  Organization,
  OrganizationId,
  OrganizationPermissions,
  OrganizationType,
  UseCase
} from "@lectern/model/organizations"
import type { RoleOrGuest } from "@lectern/model/roles"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"

const organizationColumns = {
  id: Table.text<OrganizationId>(),
  title: Table.text(),
  createdAt: Table.text(),
  type: Table.text<typeof OrganizationType.Type>(),
  useCase: Table.nullable(Table.text<typeof UseCase.Type>()),
  communityType: Table.nullable(Table.text<typeof CommunityType.Type>()),
  emailDomains: Table.json<ReadonlyArray<string>>(),
  hostname: Table.nullable(Table.text()),
  defaultRole: Table.nullable(Table.text<NonNullable<RoleOrGuest>>()),
  defaultContent: Table.nullable(Table.json<typeof DefaultContent.Type>()),
  logo: Table.nullable(Table.text()),
  sso: Table.boolean(),
  /** Whether members must prove a second factor. */
  secondFactor: Table.boolean(),
  ai: Table.boolean(),
  inviteLinks: Table.boolean(),
  domainJoin: Table.boolean(),
  /** Null for `none`. */
  mergeRules: Table.nullable(Table.json<StandaloneMergeRules>()),
  /** The key that signs the visitor claims of members; null while they are not signed. */
  /** Encrypted. Rows of versions before it was encrypted contain the key itself. */
  visitorKey: Table.nullable(Table.text()),
  /** When the organization was moved to the trash; null outside of it. */
  deletedAt: Table.nullable(Table.text()),
  /** Whether the removal of its rows has started, so that it cannot be restored, also by a process whose clock is wrong. */
  isPurging: Table.boolean()
}

/** A row of the table `organizations`. */
export interface OrganizationRow extends Table.RowOf<typeof organizationColumns> {}

/** The table of organizations. */
export const organizations: Table.ProtectedTable<"organizations", OrganizationRow, "id"> =
  Table.makeProtected("organizations", {
    tenant: "id",
    columns: organizationColumns,
    locking: lockedByOrganization,
    key: ["id"],
    unique: [["hostname"]],
    indexes: [["deletedAt"]]
  })

/** Whether an organization can be used: it exists, and is not in the trash. */
export const isInUse = <Row extends Pick<OrganizationRow, "deletedAt">>(row: Row | undefined): row is Row =>
  row !== undefined && row.deletedAt === null

const suspensionColumns = {
  organization: Table.text<OrganizationId>(),
  /** The table of the row. */
  kind: Table.text<"members" | "sites" | "webhooks">(),
  /** The user of a member, or the id of a site or a webhook. */
  subject: Table.text()
}

/** A row of the table `suspensions`. */
export interface SuspensionRow extends Table.RowOf<typeof suspensionColumns> {}

/**
 * The members, sites and webhooks that the deletion of an organization has disabled, unpublished or deactivated. Its restoration
 * enables these and no others.
 */
export const suspensions: Table.ProtectedTable<
  "suspensions",
  SuspensionRow,
  "organization" | "kind" | "subject"
> = Table.makeProtected("suspensions", {
  tenant: "organization",
  columns: suspensionColumns,
  locking: lockedByOrganization,
  key: ["organization", "kind", "subject"],
  references: { organization: { table: () => organizations, onRemove: "cascade" } }
})

const emailDomainColumns = { organization: Table.text<OrganizationId>(), domain: Table.text() }

interface EmailDomainRow extends Table.RowOf<typeof emailDomainColumns> {}

/** The index of organizations by e-mail domain, derived from `organizations.emailDomains`. */
export const emailDomains: Table.ProtectedTable<"emailDomains", EmailDomainRow, "organization" | "domain"> =
  Table.makeProtected("emailDomains", {
    tenant: "organization",
    columns: emailDomainColumns,
    locking: lockedByOrganization,
    key: ["organization", "domain"],
    references: { organization: { table: () => organizations, onRemove: "cascade" } },
    indexes: [["domain", "organization"]]
  })

/** Converts a row to the resource, with the permissions of one caller. */
export const presentOrganization = (
  base: string,
  row: OrganizationRow,
  permissions: typeof OrganizationPermissions.Type
): Organization => ({
  object: "organization",
  id: row.id,
  title: row.title,
  createdAt: row.createdAt,
  emailDomains: row.emailDomains,
  ...(row.hostname === null ? {} : { hostname: row.hostname }),
  type: row.type,
  ...(row.useCase === null ? {} : { useCase: row.useCase }),
  ...(row.communityType === null ? {} : { communityType: row.communityType }),
  defaultRole: row.defaultRole,
  ...(row.defaultContent === null ? {} : { defaultContent: row.defaultContent }),
  sso: row.sso,
  secondFactor: row.secondFactor,
  ai: row.ai,
  inviteLinks: row.inviteLinks,
  domainJoin: row.domainJoin,
  plan: "free_2024",
  urls: {
    location: `${base}/v1/orgs/${row.id}`,
    app: `${base}/o/${row.id}`,
    ...(row.logo === null ? {} : { logo: row.logo })
  },
  trial: { status: "notapplicable", count: 0 },
  mergeRules: row.mergeRules ?? { type: "none" },
  internal_isOnNewTrial: true,
  permissions
})
