/** Adds the tables and columns of further operations of the public contract, and of the reader. */
import type { Migration } from "../Migration.ts"
import { contractChanges } from "./0035-contract.ts"
import { readersChanges } from "./0035-readers.ts"

export const contractReadersMigration: Migration = {
  number: 35,
  name: "further contract",
  changes: [...contractChanges, ...readersChanges]
}
