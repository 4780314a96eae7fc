/** The handlers of the endpoints of permissions. */
import { collectionPermissions, spacePermissions } from "./permissions.ts"

/** The handlers of each group of endpoints of permissions, by the name of the group. */
export const permissionsHandlers = { collectionPermissions, spacePermissions }
