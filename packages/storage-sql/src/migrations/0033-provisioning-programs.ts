/** Adds what provisioning by SCIM, programs of others and settings of searches store. */
import type { Migration } from "../Migration.ts"
import { programChanges } from "./0033-oauth.ts"
import { scimChanges } from "./0033-scim.ts"
import { searchSettingChanges } from "./0033-search-settings.ts"

export const provisioningProgramsMigration: Migration = {
  number: 33,
  name: "provisioning and programs",
  changes: [...scimChanges, ...programChanges, ...searchSettingChanges]
}
