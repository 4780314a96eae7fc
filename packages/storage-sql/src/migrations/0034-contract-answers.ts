/** Adds what operations of the public contract, results of language models and writes store. */
import type { Migration } from "../Migration.ts"
import { answersChanges } from "./0034-answers.ts"
import { contractChanges } from "./0034-contract.ts"
import { writesChanges } from "./0034-writes.ts"

export const contractAnswersMigration: Migration = {
  number: 34,
  name: "contract and language models",
  changes: [...contractChanges, ...answersChanges, ...writesChanges]
}
