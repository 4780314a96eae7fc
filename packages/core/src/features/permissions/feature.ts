import { defineFeature } from "@lectern/kernel"
import { grants, permissionEvents, permissionExaminations } from "@lectern/kernel/tables"
import { Permissions } from "./Permissions.ts"

/** The permissions on spaces, collections and sites. */
export const permissionsFeature = defineFeature("permissions", {
  tables: [grants],
  events: [permissionEvents],
  userServices: { permissions: Permissions },
  layer: Permissions.layer,
  examinations: permissionExaminations
})
