/** Adds the tables and columns of further operations of the public contract, of translations by a language model, and of the trash of organizations. */
import type { Migration } from "../Migration.ts"
import { contractChanges } from "./0035-contract.ts"
import { deletedOrganizationsChanges } from "./0035-deleted-organizations.ts"
import { translationsChanges } from "./0035-translations.ts"

export const contractTranslationsMigration: Migration = {
  number: 35,
  name: "further contract",
  changes: [...contractChanges, ...translationsChanges, ...deletedOrganizationsChanges]
}
