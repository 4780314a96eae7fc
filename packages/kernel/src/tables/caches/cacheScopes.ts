/**
 * The scopes that cached rows belong to. Triggers of the databases raise the version of a scope when one of its rows changes: see
 * migration 31 of `@lectern/storage-sql`.
 */
import type { OrganizationId } from "@lectern/model/organizations"
import type { SiteId } from "@lectern/model/sites"
import type { SpaceId } from "@lectern/model/spaces"

/** The number of characters at the end of an id that name its group. */
const groupLength = 2

/** The names of scopes. */
export const CacheScope = {
  /** Members, teams, grants, installations, specs and sites of an organization, and the settings of its spaces, without their content. */
  organization: (id: OrganizationId): string => `organization:${id}`,
  /** A space with its content. */
  space: (id: SpaceId): string => `space:${id}`,
  /** A site with its structure, settings and share links. */
  site: (id: SiteId): string => `site:${id}`,
  /** The sites at a host name. */
  host: (name: string): string => `host:${name}`,
  /** An API token, among others with the same end of their ids. */
  token: (id: string): string => `token:${id.slice(-groupLength)}`,
  /** A session, among others with the same end of their ids. */
  session: (id: string): string => `session:${id.slice(-groupLength)}`
} as const
