/** Doctor checks of integrations: their derived filter columns, and their assets. */

import { Effect } from "effect"
import { type Check, type Examination, examination, type Problem } from "../../doctor/Check.ts"
import { rowsWith } from "../../doctor/lookups.ts"
import { sha256Hex } from "../../sha256.ts"
import * as Where from "../../storage/Where.ts"
import { contentInstallations } from "../integrations/contentInstallationTable.ts"
import { installations } from "../integrations/installationTable.ts"
import { facetsOf } from "../integrations/integrationFacets.ts"
import { type IntegrationRow, integrationAssets, integrations } from "../integrations/integrationTables.ts"

const facetsCheck: Check = {
  name: "integration-facets",
  invariant: "The filter columns of an integration are derived from its name and manifest.",
  source: "kernel/tables/integrations/integrationFacets.ts",
  repair: "derives them from the manifest again"
}

const assetsCheck: Check = {
  name: "integration-assets",
  invariant: "An integration has its script, its icon and its images.",
  source: "docs/decisions/0016-integrations.md"
}

const bytesCheck: Check = {
  name: "integration-bytes",
  invariant: "The SHA-256 digest of an asset equals its stored hash.",
  source: "features/integrations/integrationImages.ts"
}

const contentCheck: Check = {
  name: "installation-content",
  invariant:
    "An installation on a space or a site has the integration and the organization of its installation.",
  source: "model/integrations/ContentInstallation.ts"
}

/** How many scripts and images are in memory together: a script has up to 20 MB, an image 1 MB. */
const assetsPerPage = 8

/** The doctor checks of integrations. */

export const integrationExaminations: ReadonlyArray<Examination> = [
  examination(integrations, [facetsCheck], ({ records }, rows) =>
    Effect.succeed(
      rows.flatMap((row): ReadonlyArray<Problem> => {
        const derived = facetsOf(row.name, row.manifest)
        const differing = Object.entries(derived).filter(
          ([column, value]) => row[column as keyof typeof derived] !== value
        )
        if (differing.length === 0) return []
        return [
          {
            check: facetsCheck,
            row,
            message: `differs from its manifest in ${differing.map(([column]) => column).join(", ")}`,
            repair: records.update(integrations, Where.eq<IntegrationRow, "id">("id", row.id), derived)
          }
        ]
      })
    )
  ),
  examination(
    integrations,
    [assetsCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const stored = yield* rowsWith(
        records,
        integrationAssets,
        "integration",
        rows.map(({ id }) => id),
        ["integration", "hash", "kind"]
      )
      const storedKeys = new Set(
        stored.map(({ integration, hash, kind }) => `${integration}/${kind}/${hash}`)
      )
      const withScript = new Set(
        stored.flatMap(({ integration, kind }) => (kind === "script" ? [integration] : []))
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const missing = [...(row.icon === null ? [] : [row.icon]), ...row.previewImages].filter(
          (hash) => !storedKeys.has(`${row.id}/image/${hash}`)
        )
        return [
          ...(withScript.has(row.id) ? [] : [{ check: assetsCheck, row, message: "has no script" }]),
          ...missing.map((hash) => ({ check: assetsCheck, row, message: `has no image ${hash}` }))
        ]
      })
    })
  ),
  examination(
    integrationAssets,
    [bytesCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const problems: Array<Problem> = []
      for (const row of rows) {
        const key = { integration: row.integration, hash: row.hash }
        const asset = yield* records.get(integrationAssets, key, ["bytes"])
        if (asset === undefined || sha256Hex(asset.bytes) === row.hash) continue
        problems.push({ check: bytesCheck, row, message: "has bytes with another digest" })
      }
      return problems
    }),
    { maximumRows: assetsPerPage }
  ),
  examination(
    contentInstallations,
    [contentCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const parents = yield* rowsWith(
        records,
        installations,
        "id",
        rows.map(({ installation }) => installation),
        ["id", "integration", "organization"]
      )
      const byId = new Map(parents.map((parent) => [parent.id, parent]))
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const parent = byId.get(row.installation)
        const isConsistent =
          // A missing installation is a broken reference, which is reported as such.
          (parent === undefined ||
            (parent.integration === row.integration && parent.organization === row.organization)) &&
          row.space === (row.kind === "space" ? row.content : null) &&
          row.site === (row.kind === "site" ? row.content : null)
        return isConsistent ? [] : [{ check: contentCheck, row, message: "differs from its installation" }]
      })
    })
  )
]
