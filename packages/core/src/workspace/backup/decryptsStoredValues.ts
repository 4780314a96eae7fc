/** Verifies the secrets of a workspace by decrypting stored values. */

import {
  callPlatform,
  generatedSecretPlace,
  isSealed,
  type ReadError,
  type RecordsAdapter,
  toWorkspaceKey,
  unseal,
  type WorkspaceKey
} from "@lectern/kernel"
import { encryptedTables, encryptedValuesOf } from "@lectern/kernel/tables"
import { Effect, Redacted } from "effect"

/** The number of rows of each table that are decrypted: all values of a workspace usually have the same secret. */
const rowsPerTable = 10

const unsealWithAny = async (
  keys: ReadonlyArray<WorkspaceKey>,
  sealed: string,
  place: string
): Promise<string | undefined> => {
  for (const key of keys) {
    const text = await unseal(key, sealed, place)
    if (text !== undefined) return text
  }
  return undefined
}

/**
 * Returns whether the secrets, and the one that the workspace has generated, decrypt the first encrypted values of each table. The
 * database has the latest schema.
 */
export const decryptsStoredValues = Effect.fnUntraced(function* (
  adapter: RecordsAdapter["Service"],
  configured: ReadonlyArray<Redacted.Redacted<string>>
): Effect.fn.Return<boolean, ReadError> {
  const keys = configured.map((secret) => toWorkspaceKey(undefined, secret))
  // The table of the generated secret is the first one.
  for (const encrypted of encryptedTables) {
    const rows = yield* adapter.find(encrypted.table, {
      where: { op: "all" },
      orderBy: encrypted.table.key,
      direction: "asc",
      limit: rowsPerTable
    })
    for (const { value, place } of rows.flatMap((row) => encryptedValuesOf(encrypted, row))) {
      const text = isSealed(value) ? yield* callPlatform(() => unsealWithAny(keys, value, place)) : value
      if (text === undefined) return false
      if (place === generatedSecretPlace) keys.push(toWorkspaceKey(undefined, Redacted.make(text)))
    }
  }
  return true
})
