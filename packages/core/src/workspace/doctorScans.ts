/** The examinations and scans of every feature, in the order in which the doctor runs them. */

import {
  type AnyFeature,
  type Check,
  declaredReferencesOf,
  type Examination,
  readable,
  type Scan,
  SigningSecret,
  tenantsOf,
  WorkspaceSecrets
} from "@lectern/kernel"
import {
  fileIntegrity,
  searchAudiences,
  searchParts,
  searchVocabulary,
  storedValueExaminations
} from "@lectern/kernel/tables"
import { Effect } from "effect"
import { foundationExaminations } from "./foundations.ts"
import { tablesOf } from "./tables.ts"

/** The tables that a job writes again after the transfer of a space to another organization. */
const derivedTables: ReadonlySet<string> = new Set(
  [searchAudiences, searchParts, searchVocabulary].map(({ name }) => name)
)

/** Returns a scan per table, then the scans of the features. Derived data is examined after the data that it is derived from. */
export const scansOf = (
  features: ReadonlyArray<AnyFeature>
): Effect.Effect<ReadonlyArray<Scan>, never, unknown> =>
  Effect.gen(function* () {
    const tables = tablesOf(features)
    const hasOwnSecret = (yield* SigningSecret) === undefined && (yield* WorkspaceSecrets).length === 0
    const examinations: ReadonlyArray<Examination> = [
      ...tables.flatMap((table) => declaredReferencesOf(table) ?? []),
      ...tables.flatMap((table) => (derivedTables.has(table.name) ? [] : (tenantsOf(table) ?? []))),
      ...features.flatMap((feature) => feature.examinations),
      ...foundationExaminations,
      ...storedValueExaminations(tables, hasOwnSecret)
    ]
    const tableScans: ReadonlyArray<Scan> = tables
      .map((over) => ({
        what: over.name,
        over,
        examinations: examinations.filter((one) => one.over.name === over.name)
      }))
      .filter((scan) => scan.examinations.length > 0)
    const scans = yield* Effect.all(features.map((feature) => feature.scans))
    return [...tableScans, ...scans.flat()]
  })

/** Every check of the scans, each once. */
export const checksOf = (scans: ReadonlyArray<Scan>): ReadonlyArray<Check> => [
  readable,
  fileIntegrity,
  ...new Set(scans.flatMap(({ examinations }) => examinations.flatMap((one) => one.checks)))
]
