/** Adds what provisioning by SCIM and programs of others store. */
import type { Migration } from "../Migration.ts"
import { programChanges } from "./0033-oauth.ts"
import { scimChanges } from "./0033-scim.ts"

export const provisioningProgramsMigration: Migration = {
  number: 33,
  name: "provisioning and programs",
  changes: [...scimChanges, ...programChanges]
}
