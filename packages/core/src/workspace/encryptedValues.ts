/** The columns of all tables that the secret of the workspace encrypts. */

import { visitorKeyPlace } from "@lectern/model/organizations"
import { generatedSecretPlace, secrets } from "../kernel/security/Signatures.ts"
import type { PlainRow, Table } from "../kernel/storage/index.ts"
import { idempotencyKeys } from "../tables/idempotency/IdempotencyKey.ts"
import { integrations } from "../tables/integrations/integrationTables.ts"
import { clientSecretPlace, oidcProviders } from "../tables/oidc/oidcProviderTable.ts"
import { organizations } from "../tables/organizations/organizationTables.ts"
import { logoutPlace, sessions } from "../tables/sessions/sessionTables.ts"
import { privateKeyPlace, siteSettings } from "../tables/sites/siteSettingsTable.ts"
import { webhooks } from "../tables/webhooks/webhookTables.ts"

/** A table with encrypted values. */
export interface EncryptedTable {
  readonly table: Table.AnyTable
  /** The columns with an encrypted value, or null. */
  readonly columns: ReadonlyArray<string>
  /** Whether the column is an object of encrypted values by name. */
  readonly isMap?: boolean
  /** Returns the place of a value, which its encryption authenticates. `name` is that of the column, or in the map. */
  readonly placeOf: (row: PlainRow, name: string) => string
}

/** Every column with encrypted values. */
export const encryptedTables: ReadonlyArray<EncryptedTable> = [
  { table: secrets, columns: ["value"], placeOf: () => generatedSecretPlace },
  { table: organizations, columns: ["visitorKey"], placeOf: ({ id }) => visitorKeyPlace(String(id)) },
  { table: siteSettings, columns: ["privateKey"], placeOf: ({ site }) => privateKeyPlace(String(site)) },
  { table: webhooks, columns: ["secret", "formerSecret"], placeOf: ({ id }) => `webhook ${String(id)}` },
  {
    table: integrations,
    columns: ["secrets"],
    isMap: true,
    placeOf: ({ id }, name) => `integration ${String(id)} ${name}`
  },
  { table: oidcProviders, columns: ["clientSecret"], placeOf: ({ id }) => clientSecretPlace(String(id)) },
  { table: sessions, columns: ["logout"], placeOf: ({ id }) => logoutPlace(String(id)) },
  { table: idempotencyKeys, columns: ["result"], placeOf: ({ id }) => String(id) }
]

/** An encrypted value of a row. A value of an earlier version can be plain text. */
export interface EncryptedValue {
  readonly column: string
  /** The name of the column, or in its map. */
  readonly name: string
  readonly value: string
  /** The place that its encryption authenticates. */
  readonly place: string
}

/** The encrypted values of a row, with their places. */
export const encryptedValuesOf = (
  { columns, isMap, placeOf }: EncryptedTable,
  row: PlainRow
): ReadonlyArray<EncryptedValue> =>
  columns.flatMap((column): ReadonlyArray<EncryptedValue> => {
    const value = row[column]
    if (typeof value === "string") return [{ column, name: column, value, place: placeOf(row, column) }]
    if (isMap !== true || typeof value !== "object" || value === null) return []
    return Object.entries(value).map(([name, text]) => ({
      column,
      name,
      value: String(text),
      place: placeOf(row, name)
    }))
  })
