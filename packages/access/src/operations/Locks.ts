/**
 * The locks that commands declare: `locks: ({ space }) => Locks.space(space)`. A command that declares its locks waits for
 * others that hold them, instead of conflicting with them.
 *
 * The resources form a hierarchy. A lock on a resource covers everything below it:
 *
 * - `organization`: its members, teams, permissions, collections, sites and settings, and all of its spaces. Every other
 *   command in the organization holds it in shared mode, because its authorization reads them.
 * - `space`: its content, its change requests and its comments.
 * - `visits`: the times at which the members of an organization were last seen.
 * - `accounts`: the user accounts of the workspace. Commands that create accounts hold it.
 * - `account`: one user account, and the memberships that it gets. Creators of accounts exclude it by `accounts`.
 * - `integration`: an integration, by its name, with its installations in all organizations.
 * - `token`: the columns of one API token that several commands read and update.
 * - `places`: the favorites and recent pages of one user.
 * - `notifications`: how one user receives notifications.
 * - `host`: the addresses at one host name that sites have, in all organizations.
 */

import type { Lock, LockMode, Table } from "@lectern/kernel"
import {
  collections,
  installations,
  integrations,
  lockKinds,
  members,
  oidcProviders,
  openApiSpecs,
  samlProviders,
  sites,
  spaces,
  users
} from "@lectern/kernel/tables"
import type { CollectionId } from "@lectern/model/collections"
import type { InstallationId, IntegrationName } from "@lectern/model/integrations"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SamlProviderId } from "@lectern/model/saml"
import type { SiteId } from "@lectern/model/sites"
import type { SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"

/** The locks of a command. They are acquired in one order, regardless of the order of the list. */
export type LockList = ReadonlyArray<Lock>

/** The lock on the organization of a row with the column `organization`. */
const organizationOf = (table: Table.AnyTable, id: string, mode: LockMode): Lock => ({
  mode,
  kind: lockKinds.organization,
  row: { table, key: "id", id, column: "organization" }
})

/** The exclusive lock of a kind on the rows of the caller. */
const ofUser = (kind: string, caller: UserId | undefined): LockList =>
  caller === undefined ? [] : [{ mode: "exclusive", kind, id: caller }]

/** The row of each membership of a user, which names its organization. */
const membershipRowOf = (user: UserId) => ({
  table: members,
  key: "user",
  id: user,
  column: "organization"
})

/** The locks on the organizations of a user, in shared mode: the memberships of the user do not change while they are held. */
const membershipsOf = (user: UserId): LockList => [
  { mode: "shared", kind: lockKinds.organization, row: membershipRowOf(user) }
]

/** The rows that a command on an integration reads and writes besides it. */
interface IntegrationRows {
  /** Whether it changes rows of the organization that owns the integration. */
  readonly changesOwner?: boolean
  /** The installation whose organization it reads. */
  readonly installation?: InstallationId
  /** The space whose organization it reads. */
  readonly space?: SpaceId
  /** The site whose organization it reads. */
  readonly site?: SiteId
}

/**
 * Creates the locks of commands from their parameters.
 *
 * @example
 * command(
 *   "Bookmarks.add",
 *   { parameters: { space: SpaceId, input: AddBookmark }, authorize: allow.space("read"), locks: Locks.space },
 *   function* ({ input }, { records }) { … }
 * )
 */
export const Locks = {
  /** For commands that change one space: its content, change requests or comments. */
  space: ({ space }: { readonly space: SpaceId }): LockList => [
    organizationOf(spaces, space, "shared"),
    { mode: "exclusive", kind: lockKinds.space, id: space }
  ],

  /** As {@link Locks.space}, for commands whose caller names the organization as well, which can be another one. */
  spaceAnd: (organization: OrganizationId, target: { readonly space: SpaceId }): LockList => [
    { mode: "shared", kind: lockKinds.organization, id: organization },
    organizationOf(spaces, target.space, "shared"),
    { mode: "exclusive", kind: lockKinds.space, id: target.space }
  ],

  /** For commands that change an organization: who can access what, the order of its spaces, its sites. */
  organization: ({ organization }: { readonly organization: OrganizationId }): LockList => [
    { mode: "exclusive", kind: lockKinds.organization, id: organization }
  ],

  /** As {@link Locks.organization}, for commands that assign an address at a host to a site, and read the other addresses there. */
  siteAddress: (target: { readonly organization: OrganizationId }, host: string | undefined): LockList => [
    ...Locks.organization(target),
    ...(host === undefined ? [] : [{ mode: "exclusive" as const, kind: lockKinds.host, id: host }])
  ],

  /** As {@link Locks.organization}, for the organization of a space. */
  organizationOfSpace: ({ space }: { readonly space: SpaceId }): LockList => [
    organizationOf(spaces, space, "exclusive")
  ],

  /** As {@link Locks.organization}, for the organization of a collection. */
  organizationOfCollection: ({ collection }: { readonly collection: CollectionId }): LockList => [
    organizationOf(collections, collection, "exclusive")
  ],

  /** As {@link Locks.organization}, for the organization of a SAML provider. */
  organizationOfProvider: ({ provider }: { readonly provider: SamlProviderId }): LockList => [
    organizationOf(samlProviders, provider, "exclusive")
  ],

  /** As {@link Locks.organization}, for the organization of an OpenID Connect provider. */
  organizationOfOidcProvider: ({ provider }: { readonly provider: string }): LockList => [
    organizationOf(oidcProviders, provider, "exclusive")
  ],

  /** As {@link Locks.organization}, for the organization of an OpenAPI spec. */
  organizationOfSpec: ({ spec }: { readonly spec: string }): LockList => [
    organizationOf(openApiSpecs, spec, "exclusive")
  ],

  /** For commands that change nothing except the time at which a member was last seen. */
  visits: ({ organization }: { readonly organization: OrganizationId }): LockList => [
    { mode: "shared", kind: lockKinds.organization, id: organization },
    { mode: "exclusive", kind: lockKinds.visits, id: organization }
  ],

  /** For commands that change the places of the caller, and read the content of a space. */
  places: ({ space }: { readonly space: SpaceId }, caller: UserId | undefined): LockList => [
    organizationOf(spaces, space, "shared"),
    { mode: "shared", kind: lockKinds.space, id: space },
    ...ofUser(lockKinds.places, caller)
  ],

  /** For commands that change the notifications of the caller in an organization, or how they receive them. */
  notifications: (
    { organization }: { readonly organization: OrganizationId },
    caller: UserId | undefined
  ): LockList => [
    { mode: "shared", kind: lockKinds.organization, id: organization },
    ...ofUser(lockKinds.notifications, caller)
  ],

  /** For commands that change how the caller receives notifications about a space. */
  spaceNotifications: ({ space }: { readonly space: SpaceId }, caller: UserId | undefined): LockList => [
    organizationOf(spaces, space, "shared"),
    ...ofUser(lockKinds.notifications, caller)
  ],

  /** For commands that change one API token, and read no other rows that are locked. */
  token: ({ token }: { readonly token: string }): LockList => [
    { mode: "exclusive", kind: lockKinds.token, id: token }
  ],

  /** For commands that change an API token of the caller, and record it in the logs of the organizations of the caller. */
  ownToken: ({ token }: { readonly token: string }, caller: UserId | undefined): LockList => [
    { mode: "exclusive", kind: lockKinds.token, id: token },
    ...(caller === undefined ? [] : membershipsOf(caller))
  ],

  /** For commands on tokens of an organization, if there is one: its memberships must not change concurrently. */
  tokenIn: ({ organization }: { readonly organization?: OrganizationId | undefined }): LockList =>
    organization === undefined ? [] : [{ mode: "shared", kind: lockKinds.organization, id: organization }],

  /** For commands that create accounts. */
  accounts: [{ mode: "exclusive", kind: lockKinds.accounts, id: "all" }] as LockList,

  /**
   * For commands that change one account, and the copies of its fields in its memberships: these are covered as the times of
   * visits are, and memberships are created under the lock of the account.
   */
  account: ({ user }: { readonly user: UserId }): LockList => [
    ...membershipsOf(user),
    { mode: "exclusive", kind: lockKinds.visits, row: membershipRowOf(user) },
    { mode: "shared", kind: lockKinds.accounts, id: "all" },
    { mode: "exclusive", kind: lockKinds.account, id: user }
  ],

  /** For commands that record their call in the logs of all organizations of the caller. */
  memberships: (caller: UserId | undefined): LockList => (caller === undefined ? [] : membershipsOf(caller)),

  /** For commands that add a user to an organization. */
  membershipOf: (organization: OrganizationId, user: UserId | undefined): LockList => [
    { mode: "exclusive", kind: lockKinds.organization, id: organization },
    ...(user === undefined ? [] : [{ mode: "shared" as const, kind: lockKinds.account, id: user }])
  ],

  /** For commands that add the owners of e-mail addresses to an organization, and create the missing accounts. */
  invitations: (organization: OrganizationId, emails: ReadonlyArray<string>): LockList => [
    { mode: "exclusive", kind: lockKinds.organization, id: organization },
    { mode: "shared", kind: lockKinds.accounts, id: "all" },
    ...emails.flatMap(
      (email): LockList => [
        { mode: "exclusive", kind: lockKinds.account, id: `mailto:${email}` },
        {
          mode: "exclusive",
          kind: lockKinds.account,
          row: { table: users, key: "email", id: email, column: "id" }
        }
      ]
    )
  ],

  /**
   * For commands on an integration, which the memberships of the caller authorize. `rows` name further organizations that it
   * reads.
   */
  integration: (
    integration: IntegrationName,
    caller: UserId | undefined,
    rows: IntegrationRows = {}
  ): LockList => [
    { mode: "exclusive", kind: lockKinds.integration, id: integration },
    ...(caller === undefined ? [] : membershipsOf(caller)),
    {
      mode: rows.changesOwner === true ? "exclusive" : "shared",
      kind: lockKinds.organization,
      row: { table: integrations, key: "name", id: integration, column: "organization" }
    },
    ...(rows.installation === undefined ? [] : [organizationOf(installations, rows.installation, "shared")]),
    ...(rows.space === undefined ? [] : [organizationOf(spaces, rows.space, "shared")]),
    ...(rows.site === undefined ? [] : [organizationOf(sites, rows.site, "shared")])
  ],

  /** For commands that consist of one atomic statement. */
  none: [] as LockList
} as const
