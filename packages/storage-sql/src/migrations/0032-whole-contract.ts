/** Adds what further operations of the public contract store. */
import type { Migration } from "../Migration.ts"
import { contractChanges } from "./0032-contract.ts"

export const wholeContractMigration: Migration = {
  number: 32,
  name: "whole contract",
  changes: [...contractChanges]
}
