/** Adds the tables and columns of further operations of the public contract, and of translations by a language model. */
import type { Migration } from "../Migration.ts"
import { contractChanges } from "./0035-contract.ts"
import { translationsChanges } from "./0035-translations.ts"

export const contractTranslationsMigration: Migration = {
  number: 35,
  name: "further contract",
  changes: [...contractChanges, ...translationsChanges]
}
