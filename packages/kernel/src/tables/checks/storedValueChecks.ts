/** Doctor checks of stored values, derived from the declarations of tables and resources. */

import { Collection } from "@lectern/model/collections"
import { Organization, Team } from "@lectern/model/organizations"
import { Site, UpdateSite } from "@lectern/model/sites"
import { Space } from "@lectern/model/spaces"
import { Translation } from "@lectern/model/translations"
import { Effect, Schema } from "effect"
import { type AnyRow, type Check, type Examination, examination, type Problem } from "../../doctor/Check.ts"
import { secrets } from "../../security/Signatures.ts"
import { blobs } from "../../storage/Blobs.ts"
import type * as Table from "../../storage/Table.ts"
import { isTemporaryUse } from "../../storage/temporaryUse.ts"
import * as Where from "../../storage/Where.ts"
import { collections } from "../collections/collectionTable.ts"
import { integrations } from "../integrations/integrationTables.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { teams } from "../organizations/teamTables.ts"
import { sites } from "../sites/siteTable.ts"
import { spaces } from "../spaces/spaceTable.ts"
import { translations } from "../translations/translationTable.ts"

const timestamps: Check = {
  name: "timestamps",
  invariant:
    "Every column of a time has a timestamp in UTC, in the format that `toTimestamp` returns. The time of use of a blob can be an hour.",
  source: "kernel/time.ts"
}

const fields: Check = {
  name: "stored-fields",
  invariant: "Every column that a resource contains unchanged is valid in the schema of the resource.",
  source: "workspace/storedValueChecks.ts"
}

const signingSecret: Check = {
  name: "signing-secret",
  invariant: "The secret exists that encrypted values of integrations were encrypted with.",
  source: "kernel/security/Encryption.ts"
}

/** Whether text is a timestamp. Comparisons of timestamps as text rely on the format. */
const isTimestamp = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text))

/** Whether text is an hour, as `timeOfUse` returns it. */
const isHour = (text: string): boolean => text.length === 13 && isTimestamp(`${text}:00:00.000Z`)

/** Returns the columns of a table that contain times: their names end with `At`. */
const timeColumnsOf = (table: Table.AnyTable): ReadonlyArray<string> =>
  Object.entries(table.columns).flatMap(([name, { kind }]) =>
    kind === "text" && name.endsWith("At") ? [name] : []
  )

const examineTimestamps = (table: Table.AnyTable): Examination | undefined => {
  const columns = timeColumnsOf(table)
  if (columns.length === 0) return undefined
  return examination(table, [timestamps], (_, rows: ReadonlyArray<AnyRow>) =>
    Effect.succeed(
      rows.flatMap((row) =>
        columns.flatMap((column): ReadonlyArray<Problem> => {
          const value = row[column]
          if (table.name === blobs.name && column === "usedAt" && isHour(String(value))) return []
          if (column === "usedAt" && isTemporaryUse(String(value))) return []
          return typeof value !== "string" || isTimestamp(value)
            ? []
            : [{ check: timestamps, row, message: `has ${JSON.stringify(value)} as its ${column}` }]
        })
      )
    )
  )
}

/** The tables of resources, with the fields of the resources. */
const resources: ReadonlyArray<readonly [Table.AnyTable, Readonly<Record<string, Schema.Top>>]> = [
  [organizations, Organization.fields],
  [spaces, Space.fields],
  [collections, Collection.fields],
  [teams, Team.fields],
  // The resource has the URLs of its proxy; the column has the origin, as the input of an update has it.
  [sites, { ...Site.fields, proxy: UpdateSite.fields.proxy }],
  [translations, Translation.fields]
]

const examineFields = ([table, schemas]: (typeof resources)[number]): Examination => {
  const validators = Object.entries(table.columns).flatMap(([name, { kind }]) => {
    const schema = schemas[name]
    return schema === undefined || kind === "json" || kind === "bytes"
      ? []
      : [[name, Schema.is(schema)] as const]
  })
  return examination(table, [fields], (_, rows: ReadonlyArray<AnyRow>) =>
    Effect.succeed(
      rows.flatMap((row) =>
        validators.flatMap(([name, isValid]): ReadonlyArray<Problem> => {
          const value = row[name]
          return value === null || isValid(value)
            ? []
            : [{ check: fields, row, message: `has ${JSON.stringify(value)} as its ${name}` }]
        })
      )
    )
  )
}

/** The checks of a workspace that stores its own secret. */
const secretExaminations: ReadonlyArray<Examination> = [
  examination(
    integrations,
    [signingSecret],
    Effect.fnUntraced(function* ({ records }, rows) {
      const encrypted = rows.filter((row) => Object.keys(row.secrets).length > 0)
      if (encrypted.length === 0 || (yield* records.count(secrets, Where.all)) > 0) return []
      const message = "has encrypted secrets, and the secret that encrypted them is missing"
      return encrypted.map((row) => ({ check: signingSecret, row, message }))
    })
  )
]

/**
 * Returns the examinations of stored values. `hasOwnSecret` is whether the workspace stores its signing secret, because no
 * setting configures one.
 */
export const storedValueExaminations = (
  tables: ReadonlyArray<Table.AnyTable>,
  hasOwnSecret: boolean
): ReadonlyArray<Examination> => [
  ...tables.flatMap((table) => examineTimestamps(table) ?? []),
  ...resources.map(examineFields),
  ...(hasOwnSecret ? secretExaminations : [])
]
