/** Adds passkeys, recovery codes and second factors, and what further operations of the public contract store. */
import type { Migration } from "../Migration.ts"
import { contractChanges } from "./0032-contract.ts"
import { passkeyChanges } from "./0032-passkeys.ts"

export const passkeysContractMigration: Migration = {
  number: 32,
  name: "passkeys and contract",
  changes: [...passkeyChanges, ...contractChanges]
}
