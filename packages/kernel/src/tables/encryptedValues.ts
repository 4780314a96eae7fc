/** The columns of all tables that the secret of the workspace encrypts. */

import { visitorKeyPlace } from "@lectern/model/organizations"
import { generatedSecretPlace, secrets } from "../security/Signatures.ts"
import type { PlainRow, Table } from "../storage/index.ts"
import { gitCredentialsPlace, gitSyncs } from "./git/gitSyncTable.ts"
import { idempotencyKeys } from "./idempotency/IdempotencyKey.ts"
import { integrations } from "./integrations/integrationTables.ts"
import { clientSecretPlace, oidcProviders } from "./oidc/oidcProviderTable.ts"
import { organizations } from "./organizations/organizationTables.ts"
import { logoutPlace, sessions } from "./sessions/sessionTables.ts"
import { mcpHeaderPlace, siteMcpServers } from "./sites/siteMcpServerTable.ts"
import { privateKeyPlace, siteSettings } from "./sites/siteSettingsTable.ts"
import { webhooks } from "./webhooks/webhookTables.ts"

/** A table with encrypted values. */
export interface EncryptedTable {
  readonly table: Table.AnyTable
  /** The columns with an encrypted value, or null. */
  readonly columns: ReadonlyArray<string>
  /** Whether the column is an object of encrypted values by name. */
  readonly isMap?: boolean
  /** The field of the items of a column that is a list, which has an encrypted value or null. */
  readonly itemField?: string
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
  {
    table: siteMcpServers,
    columns: ["headers"],
    isMap: true,
    placeOf: ({ id }, name) => mcpHeaderPlace(String(id), name)
  },
  { table: oidcProviders, columns: ["clientSecret"], placeOf: ({ id }) => clientSecretPlace(String(id)) },
  { table: sessions, columns: ["logout"], placeOf: ({ id }) => logoutPlace(String(id)) },
  {
    table: gitSyncs,
    columns: ["credentials", "queue"],
    itemField: "credentials",
    placeOf: ({ space }) => gitCredentialsPlace(String(space))
  },
  { table: idempotencyKeys, columns: ["result"], placeOf: ({ id }) => String(id) }
]

/** An encrypted value of a row. A value of an earlier version can be plain text. */
export interface EncryptedValue {
  readonly column: string
  /** Where the value is in the column: a name of a map, or the index and the field of an item. Empty for the column itself. */
  readonly path: ReadonlyArray<string>
  readonly value: string
  /** The place that its encryption authenticates. */
  readonly place: string
}

/** The values in a column that are encrypted, with their paths. */
const valuesIn = (
  { isMap, itemField }: EncryptedTable,
  value: unknown
): ReadonlyArray<readonly [path: ReadonlyArray<string>, text: string]> => {
  if (typeof value === "string") return [[[], value]]
  if (typeof value !== "object" || value === null) return []
  if (isMap === true) return Object.entries(value).map(([name, text]) => [[name], String(text)] as const)
  if (itemField === undefined || !Array.isArray(value)) return []
  return value.flatMap((item: Readonly<Record<string, unknown>>, index) => {
    const text = item[itemField]
    return typeof text === "string" ? [[[String(index), itemField], text] as const] : []
  })
}

/** The encrypted values of a row, with their places. */
export const encryptedValuesOf = (source: EncryptedTable, row: PlainRow): ReadonlyArray<EncryptedValue> =>
  source.columns.flatMap((column) =>
    valuesIn(source, row[column]).map(([path, value]) => ({
      column,
      path,
      value,
      place: source.placeOf(row, path[0] ?? column)
    }))
  )

/** Returns the value of a column with another value at a path. */
export const replaceAt = (value: unknown, [name, ...rest]: ReadonlyArray<string>, text: string): unknown => {
  if (name === undefined) return text
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (String(index) === name ? replaceAt(item, rest, text) : item))
  }
  const fields = value as Readonly<Record<string, unknown>>
  return { ...fields, [name]: replaceAt(fields[name], rest, text) }
}
