/** What `@lectern/core/model` exports of permissions. */
export {
  ListPermissions,
  Share,
  SharedContent,
  TeamPermission,
  UpdatePermission,
  UserPermission
} from "./Permission.ts"
