import { collectionPermissions, sitePermissions, spacePermissions } from "./permissions.ts"

export const permissionsHandlers = { collectionPermissions, spacePermissions, sitePermissions }
