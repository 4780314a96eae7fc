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
 * - `accounts`: the user accounts of the workspace.
 * - `token`: the columns of one API token that several commands read and update.
 */

import type { CollectionId } from "@lectern/model/collections"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SamlProviderId } from "@lectern/model/saml"
import type { SpaceId } from "@lectern/model/spaces"
import type { Lock, LockMode, Table } from "../../kernel/storage/index.ts"
import { collections } from "../../tables/collections/collectionTable.ts"
import { lockKinds } from "../../tables/locks/tableLocks.ts"
import { oidcProviders } from "../../tables/oidc/oidcProviderTable.ts"
import { openApiSpecs } from "../../tables/openapi-specs/openApiSpecTables.ts"
import { samlProviders } from "../../tables/saml/samlProviderTables.ts"
import { spaces } from "../../tables/spaces/spaceTable.ts"

/** The locks of a command. They are acquired in one order, regardless of the order of the list. */
export type LockList = ReadonlyArray<Lock>

/** The lock on the organization of a row with the column `organization`. */
const organizationOf = (table: Table.AnyTable, id: string, mode: LockMode): Lock => ({
  mode,
  kind: lockKinds.organization,
  row: { table, key: "id", id, column: "organization" }
})

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

  /** For commands that change an organization: who can access what, the order of its spaces, its sites. */
  organization: ({ organization }: { readonly organization: OrganizationId }): LockList => [
    { mode: "exclusive", kind: lockKinds.organization, id: organization }
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

  /** For commands that change one API token, and read no other rows that are locked. */
  token: ({ token }: { readonly token: string }): LockList => [
    { mode: "exclusive", kind: lockKinds.token, id: token }
  ],

  /** For commands on tokens of an organization, if there is one: its memberships must not change concurrently. */
  tokenIn: ({ organization }: { readonly organization?: OrganizationId | undefined }): LockList =>
    organization === undefined ? [] : [{ mode: "shared", kind: lockKinds.organization, id: organization }],

  /** For commands that create accounts. */
  accounts: [{ mode: "exclusive", kind: lockKinds.accounts, id: "all" }] as LockList,

  /** For commands that consist of one atomic statement. */
  none: [] as LockList
} as const
