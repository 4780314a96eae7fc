/** The public names of permissions in `@lectern/model`. */
export {
  ListPermissions,
  Share,
  SharedContent,
  TeamPermission,
  UpdatePermission,
  UserPermission
} from "./Permission.ts"
