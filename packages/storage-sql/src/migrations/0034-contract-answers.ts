/** Adds the tables and columns of operations of the public contract, and changes the index of the search. */
import type { Migration } from "../Migration.ts"
import { contractChanges } from "./0034-contract.ts"
import { writesChanges } from "./0034-writes.ts"

export const contractModelsMigration: Migration = {
  number: 34,
  name: "contract and language models",
  changes: [...contractChanges, ...writesChanges]
}
