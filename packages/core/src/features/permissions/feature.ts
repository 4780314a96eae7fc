import { defineFeature } from "@lectern/kernel"
import { grants, permissionEvents } from "@lectern/kernel/tables"
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
