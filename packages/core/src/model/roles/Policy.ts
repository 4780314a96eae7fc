/**
 * Who may do what: the one place where it is decided (decision D5), as data.
 *
 * Services ask `Access` for a record by naming one of these actions; the `permissions` of responses are computed
 * from the same table, and so is the matrix that the tests walk.
 */
import type { CollectionPermissions } from "../collections/Collection.ts"
import type { OrganizationPermissions } from "../organizations/Organization.ts"
import type { TeamPermissions } from "../organizations/Team.ts"
import type { SpacePermissions } from "../spaces/Space.ts"
import { isAtLeast, type Role, type RoleOrGuest } from "./Role.ts"

/** The role on a space that each action on it needs: `view` is to see the space itself, `read` to see its content. */
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
export type SpaceAction = keyof typeof spaceActions

/** The role on a space that each action on a change request of it needs: on one's own, and on that of another. */
export const changeRequestActions = {
  view: { own: "read", other: "read" },
  edit: { own: "edit", other: "review" },
  merge: { own: "review", other: "review" }
} as const satisfies Record<string, { readonly own: Role; readonly other: Role }>
export type ChangeRequestAction = keyof typeof changeRequestActions

/**
 * The role on a space that each action on a comment in it needs: on one's own, and on that of another; null where
 * nobody may. `reply` is to react too.
 */
export const commentActions = {
  view: { own: "read", other: "read" },
  reply: { own: "comment", other: "comment" },
  edit: { own: "comment", other: null },
  resolve: { own: "edit", other: "edit" },
  delete: { own: "comment", other: "admin" }
} as const satisfies Record<string, { readonly own: Role; readonly other: Role | null }>
export type CommentAction = keyof typeof commentActions

/** The role on a collection that each action on it needs: `list` looks into it, `create` puts something into it. */
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
export type CollectionAction = keyof typeof collectionActions

/**
 * The role in the organization that each action on a site needs. `edit` is to put it together, to publish it and to
 * say for whom; `configure` is to see and to change how its visitors are told.
 */
export const siteActions = {
  view: "read",
  edit: "create",
  configure: "admin",
  remove: "admin"
} as const satisfies Record<string, Role>
export type SiteAction = keyof typeof siteActions

/** The role in an organization that each action on it needs; null where being a guest is enough. */
export const organizationActions = {
  view: null,
  list: null,
  signOn: null,
  listMembers: "read",
  listSites: "read",
  listTranslations: "read",
  listSpecs: "read",
  create: "create",
  administrate: "admin"
} as const satisfies Record<string, RoleOrGuest>
export type OrganizationAction = keyof typeof organizationActions

/**
 * The role in the organization that each action on a membership of it needs, on one's own and on that of another;
 * null where being a member is enough. `inspect` is to see what content the member sees.
 */
export const memberActions = {
  view: { own: null, other: "read" },
  inspect: { own: null, other: "admin" },
  change: { own: "admin", other: "admin" }
} as const satisfies Record<string, { readonly own: RoleOrGuest; readonly other: RoleOrGuest }>
export type MemberAction = keyof typeof memberActions

/** What somebody can be in a team. */
export type TeamPlace = "owner" | "member" | "outside"

/**
 * The role in the organization that each action on a team needs, by what the caller is in the team; null where
 * being that is enough. `manage` is to rename the team, and to say who is in it.
 */
export const teamActions = {
  view: { owner: null, member: null, outside: "read" },
  listMembers: { owner: null, member: "read", outside: "read" },
  manage: { owner: null, member: "admin", outside: "admin" },
  remove: { owner: "admin", member: "admin", outside: "admin" }
} as const satisfies Record<string, Readonly<Record<TeamPlace, RoleOrGuest>>>
export type TeamAction = keyof typeof teamActions

/** What a member with this role may do with a team that they are this in. */
export const teamPermissions = (role: RoleOrGuest, place: TeamPlace): typeof TeamPermissions.Type => {
  const may = (action: TeamAction) => {
    const needed = teamActions[action][place]
    return needed === null || isAtLeast(role, needed)
  }
  return { admin: may("manage"), view: may("view") }
}

/** What a caller with this role on a space may do with it. */
export const spacePermissions = (role: RoleOrGuest): typeof SpacePermissions.Type => {
  const may = (action: SpaceAction) => isAtLeast(role, spaceActions[action])
  return {
    view: may("view"),
    access: may("view"),
    admin: may("configure"),
    viewInviteLinks: may("share"),
    edit: may("edit"),
    triggerGitSync: may("configure"),
    comment: may("comment"),
    merge: may("review"),
    review: may("review"),
    installIntegration: may("configure")
  }
}

/** What a caller with this role on a collection may do with it. */
export const collectionPermissions = (role: RoleOrGuest): typeof CollectionPermissions.Type => {
  const may = (action: CollectionAction) => isAtLeast(role, collectionActions[action])
  return { view: may("view"), admin: may("configure"), viewInviteLinks: may("share"), create: may("create") }
}

/** What a member with this role may do with their organization; nothing where `role` is undefined, for outsiders. */
export const organizationPermissions = (
  role: RoleOrGuest | undefined,
  ownsTeam: boolean
): typeof OrganizationPermissions.Type => {
  const may = (action: OrganizationAction) => {
    const needed = organizationActions[action]
    return role !== undefined && (needed === null || isAtLeast(role, needed))
  }
  return {
    view: may("view"),
    admin: may("administrate"),
    ownTeam: ownsTeam,
    createContent: may("create"),
    createOpenAPISpec: may("create"),
    ingestConversations: may("administrate"),
    viewBilling: may("administrate"),
    listMembers: may("listMembers"),
    listTeams: may("listMembers"),
    listIntegrations: may("listMembers"),
    listInstallations: may("administrate"),
    installIntegration: may("administrate")
  }
}
