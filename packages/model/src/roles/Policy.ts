/**
 * The authorization policy, as data.
 *
 * Operations name one of these actions to load a record through `Access`. The `permissions` of responses and the
 * authorization tests are derived from the same tables.
 */
import type { CollectionPermissions } from "../collections/Collection.ts"
import type { OrganizationPermissions } from "../organizations/Organization.ts"
import type { TeamPermissions } from "../organizations/Team.ts"
import type { SpacePermissions } from "../spaces/Space.ts"
import { isAtLeast, type Role, type RoleOrGuest } from "./Role.ts"

/** The role on a space that each action requires. `view` returns the space itself, `read` its content. */
export const spaceActions = {
  view: "read",
  read: "read",
  comment: "comment",
  edit: "edit",
  propose: "edit",
  review: "review",
  rename: "create",
  move: "create",
  duplicate: "create",
  publish: "create",
  configure: "admin",
  share: "admin",
  remove: "admin",
  restore: "admin",
  transfer: "admin"
} as const satisfies Record<string, Role>
/** An action on spaces. */
export type SpaceAction = keyof typeof spaceActions

/** The role on a space that each action on its change requests requires, by whether the caller created them. */
export const changeRequestActions = {
  view: { own: "read", other: "read" },
  edit: { own: "edit", other: "review" },
  review: { own: "review", other: "review" },
  merge: { own: "review", other: "review" }
} as const satisfies Record<string, { readonly own: Role; readonly other: Role }>
/** An action on change requests. */
export type ChangeRequestAction = keyof typeof changeRequestActions

/**
 * The role on a space that each action on its comments requires, by whether the caller is the author; null when no role
 * is sufficient. `reply` includes reactions.
 */
export const commentActions = {
  view: { own: "read", other: "read" },
  reply: { own: "comment", other: "comment" },
  edit: { own: "comment", other: null },
  resolve: { own: "edit", other: "edit" },
  delete: { own: "comment", other: "admin" }
} as const satisfies Record<string, { readonly own: Role; readonly other: Role | null }>
/** An action on comments. */
export type CommentAction = keyof typeof commentActions

/** The role on a collection that each action requires. `list` returns its content, `create` adds content to it. */
export const collectionActions = {
  view: "read",
  list: "read",
  create: "create",
  rename: "create",
  move: "create",
  configure: "admin",
  share: "admin",
  remove: "admin",
  transfer: "admin"
} as const satisfies Record<string, Role>
/** An action on collections. */
export type CollectionAction = keyof typeof collectionActions

/**
 * The role on a site that each action requires. `edit` includes its structure, publishing and visibility; `configure` is for the
 * authentication of visitors; `share` for the roles of users and teams on it.
 */
export const siteActions = {
  view: "read",
  edit: "create",
  configure: "admin",
  share: "admin",
  remove: "admin"
} as const satisfies Record<string, Role>
/** An action on sites. */
export type SiteAction = keyof typeof siteActions

/**
 * The role in an organization that each action requires; null when guests are allowed. `list` and `listSites` return the content and
 * the sites that the caller can see. `provision` adds, disables and removes members
 * and teams as an identity provider does.
 */
export const organizationActions = {
  view: null,
  list: null,
  signOn: null,
  listMembers: "read",
  listSites: null,
  listFonts: "read",
  listTranslations: "read",
  listSpecs: "read",
  create: "create",
  provision: "admin",
  administrate: "admin"
} as const satisfies Record<string, RoleOrGuest>
/** An action on organizations. */
export type OrganizationAction = keyof typeof organizationActions

/**
 * The role in the organization that each action on its memberships requires, by whether it is the caller's own; null
 * when every member is allowed. `inspect` lists the content that the member can see.
 */
export const memberActions = {
  view: { own: null, other: "read" },
  inspect: { own: null, other: "admin" },
  change: { own: "admin", other: "admin" }
} as const satisfies Record<string, { readonly own: RoleOrGuest; readonly other: RoleOrGuest }>
/** An action on memberships. */
export type MemberAction = keyof typeof memberActions

/** The relation of a user to a team. */
export type TeamRelation = "owner" | "member" | "none"

/**
 * The role in the organization that each action on a team requires, by the caller's relation to the team; null when
 * the relation is sufficient. `manage` renames the team and updates its members.
 */
export const teamActions = {
  view: { owner: null, member: null, none: "read" },
  listMembers: { owner: null, member: "read", none: "read" },
  manage: { owner: null, member: "admin", none: "admin" },
  remove: { owner: "admin", member: "admin", none: "admin" }
} as const satisfies Record<string, Readonly<Record<TeamRelation, RoleOrGuest>>>
/** An action on teams. */
export type TeamAction = keyof typeof teamActions

/** The permissions on a team of a member with this role in the organization and this relation to the team. */
export const teamPermissions = (role: RoleOrGuest, relation: TeamRelation): typeof TeamPermissions.Type => {
  const isAllowed = (action: TeamAction) => {
    const needed = teamActions[action][relation]
    return needed === null || isAtLeast(role, needed)
  }
  return { admin: isAllowed("manage"), view: isAllowed("view") }
}

/**
 * Whether a member with this role in the organization can install its integrations on content: a role on the content is not
 * sufficient, because an installation has access to it without the member.
 */
const canInstall = (inOrganization: RoleOrGuest): boolean =>
  isAtLeast(inOrganization, organizationActions.administrate)

/** The permissions on a space of a caller with this role on it, and with this role in its organization. */
export const spacePermissions = (
  role: RoleOrGuest,
  inOrganization: RoleOrGuest
): typeof SpacePermissions.Type => {
  const isAllowed = (action: SpaceAction) => isAtLeast(role, spaceActions[action])
  return {
    view: isAllowed("view"),
    access: isAllowed("view"),
    admin: isAllowed("configure"),
    rename: isAllowed("rename"),
    viewInviteLinks: isAllowed("share"),
    edit: isAllowed("edit"),
    triggerGitSync: isAllowed("configure"),
    comment: isAllowed("comment"),
    merge: isAllowed("review"),
    review: isAllowed("review"),
    installIntegration: canInstall(inOrganization)
  }
}

/** The permissions on a collection of a caller with this role on it. */
export const collectionPermissions = (role: RoleOrGuest): typeof CollectionPermissions.Type => {
  const isAllowed = (action: CollectionAction) => isAtLeast(role, collectionActions[action])
  return {
    view: isAllowed("view"),
    admin: isAllowed("configure"),
    viewInviteLinks: isAllowed("share"),
    create: isAllowed("create")
  }
}

/** The permissions of a caller on a site, by the names that the resource has. */
export type PermissionsOnSite = Readonly<
  Record<
    | "view"
    | "access"
    | "edit"
    | "create"
    | "admin"
    | "installIntegration"
    | "viewAdaptiveSchema"
    | "editAdaptiveSchema",
    boolean
  >
>

/** The permissions on a site of a caller with this role on it, null for a visitor, and with this role in its organization. */
export const sitePermissions = (role: RoleOrGuest, inOrganization: RoleOrGuest): PermissionsOnSite => {
  const isAllowed = (action: SiteAction) => isAtLeast(role, siteActions[action])
  return {
    view: true,
    access: isAllowed("view"),
    edit: isAllowed("edit"),
    create: isAllowed("edit"),
    admin: isAllowed("configure"),
    installIntegration: canInstall(inOrganization),
    viewAdaptiveSchema: isAllowed("view"),
    editAdaptiveSchema: isAllowed("edit")
  }
}

/** The permissions in an organization of a member with this role; none when `role` is undefined, for other users. */
export const organizationPermissions = (
  role: RoleOrGuest | undefined,
  ownsTeam: boolean
): typeof OrganizationPermissions.Type => {
  const isAllowed = (action: OrganizationAction) => {
    const needed = organizationActions[action]
    return role !== undefined && (needed === null || isAtLeast(role, needed))
  }
  return {
    view: isAllowed("view"),
    access: isAllowed("view"),
    admin: isAllowed("administrate"),
    ownTeam: ownsTeam,
    createContent: isAllowed("create"),
    createOpenAPISpec: isAllowed("create"),
    ingestConversations: isAllowed("administrate"),
    viewBilling: isAllowed("administrate"),
    listMembers: isAllowed("listMembers"),
    listTeams: isAllowed("listMembers"),
    listIntegrations: isAllowed("listMembers"),
    listInstallations: isAllowed("administrate"),
    installIntegration: isAllowed("administrate")
  }
}
