import { collectionPermissions, spacePermissions } from "./permissions.ts"

export const permissionsHandlers = { collectionPermissions, spacePermissions }
