/** Adds passkeys, recovery codes and second factors. */
import type { Migration } from "../Migration.ts"
import { passkeyChanges } from "./0032-passkeys.ts"

export const passkeysMigration: Migration = {
  number: 32,
  name: "passkeys and second factors",
  changes: [...passkeyChanges]
}
