/** The public face of `@lectern/core`. */

export { Access, type Caller, roleOn } from "./access/Access.ts"
export { type ApiToken, ApiTokens, CreateApiToken } from "./access/ApiTokens.ts"
export { Authenticator } from "./access/Authenticator.ts"
export { CurrentUser } from "./access/CurrentUser.ts"
export { type GrantRow, grants } from "./access/Grant.ts"
export * as Policy from "./access/Policy.ts"
export { DefaultLevel, Role, RoleOrGuest, roles } from "./access/Role.ts"
export {
  Collection,
  CollectionId,
  CollectionPermissions,
  CreateCollection,
  UpdateCollection
} from "./collections/Collection.ts"
export { Collections, ListCollections } from "./collections/Collections.ts"
export { Move, Pointer, Position, Transfer } from "./collections/Move.ts"
export {
  createWorkspace,
  type EmbeddedWorkspace,
  type Promised,
  type WorkspaceOf,
  type WorkspaceOptions
} from "./embed.ts"
export * from "./errors.ts"
export { Administration, Bootstrap, CreateUser } from "./organizations/Administration.ts"
export {
  CreateOrganization,
  Organization,
  OrganizationId,
  OrganizationPermissions
} from "./organizations/Organization.ts"
export { Organizations } from "./organizations/Organizations.ts"
export { TeamId, teamMembers, teams } from "./organizations/Team.ts"
export { Email, User, UserId, users } from "./organizations/User.ts"
export { Users } from "./organizations/Users.ts"
export { Ids } from "./shared/Id.ts"
export { fieldsOf } from "./shared/Issues.ts"
export { defaultLimit, maximumLimit, type Page, PageQuery, pageOf } from "./shared/Page.ts"
export { PublicUrl } from "./shared/Urls.ts"
export {
  ContentVisibility,
  CreateSpace,
  EditMode,
  Space,
  SpaceId,
  SpacePermissions,
  spaces,
  UpdateSpace
} from "./spaces/Space.ts"
export { Spaces } from "./spaces/Spaces.ts"
export * from "./storage/index.ts"
export { tables } from "./tables.ts"
export * as Workspace from "./Workspace.ts"
