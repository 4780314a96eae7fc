import { defineFeature } from "../../kernel/features/Feature.ts"
import { grants } from "../../tables/permissions/permissionTable.ts"
import { permissionEvents } from "../../tables/permissions/recordedPermissionEvents.ts"
import { Permissions } from "./Permissions.ts"
import { permissionExaminations } from "./permissionChecks.ts"

/** The permissions on spaces and collections. */
export const permissionsFeature = defineFeature("permissions", {
  tables: [grants],
  events: [permissionEvents],
  userServices: { permissions: Permissions },
  layer: Permissions.layer,
  examinations: permissionExaminations
})
