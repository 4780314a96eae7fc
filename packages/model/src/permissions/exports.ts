export {
  ListPermissions,
  Share,
  SharedContent,
  TeamPermission,
  UpdatePermission,
  UserPermission
} from "./Permission.ts"
