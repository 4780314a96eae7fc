/** The public face of `@lectern/core`. */
export { Authenticator } from "./access/Authenticator.ts"
export { CurrentUser } from "./access/CurrentUser.ts"
export { DefaultLevel, Role, RoleOrGuest, roles } from "./access/Role.ts"
export {
  Collection,
  CollectionId,
  CollectionPermissions,
  CreateCollection,
  UpdateCollection
} from "./collections/Collection.ts"
export { Move, Pointer, Position, Transfer } from "./collections/Move.ts"
export * from "./errors.ts"
export {
  CreateOrganization,
  Organization,
  OrganizationId,
  OrganizationPermissions
} from "./organizations/Organization.ts"
export { Email, User, UserId } from "./organizations/User.ts"
export { Ids } from "./shared/Id.ts"
export { defaultLimit, maximumLimit, type Page, type PageQuery, pageOf } from "./shared/Page.ts"
export { PublicUrl } from "./shared/Urls.ts"
export {
  ContentVisibility,
  CreateSpace,
  EditMode,
  Space,
  SpaceId,
  SpacePermissions,
  UpdateSpace
} from "./spaces/Space.ts"
export * from "./storage/index.ts"
