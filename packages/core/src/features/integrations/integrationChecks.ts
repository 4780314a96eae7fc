/** Integrations: what they are found by, and the bytes that they have (decision D14). */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import { type Check, type Examination, examination, type Problem } from "../../kernel/doctor/Check.ts"
import { rowsWith } from "../../kernel/doctor/lookups.ts"
import { Where } from "../../kernel/storage/index.ts"
import { type IntegrationRow, integrationAssets, integrations } from "../../model/integrations/Integration.ts"
import { facetsOf } from "./facets.ts"

export const facets: Check = {
  name: "integration-facets",
  says: "An integration is found by what its maker says of it.",
  source: "integrations/facets.ts",
  repair: "takes it from what the maker says"
}

export const assets: Check = {
  name: "integration-assets",
  says: "An integration has its script, its icon and its images.",
  source: "D14"
}

export const bytes: Check = {
  name: "integration-bytes",
  says: "The bytes of an integration are what their hash says.",
  source: "integrations/images.ts"
}

/** How many scripts and images are in memory together: a script has up to 20 MB, an image 1 MB. */
const assetsAtOnce = 8

export const integrationExaminations: ReadonlyArray<Examination> = [
  examination(integrations, [facets], ({ records }, rows) =>
    Effect.succeed(
      rows.flatMap((row): ReadonlyArray<Problem> => {
        const real = facetsOf(row.name, row.manifest)
        const wrong = Object.entries(real).filter(
          ([column, value]) => row[column as keyof typeof real] !== value
        )
        if (wrong.length === 0) return []
        return [
          {
            check: facets,
            row,
            message: `is not found by its ${wrong.map(([column]) => column).join(", ")}`,
            mend: records.update(integrations, Where.eq<IntegrationRow, "id">("id", row.id), real)
          }
        ]
      })
    )
  ),
  examination(
    integrations,
    [assets],
    Effect.fnUntraced(function* ({ records }, rows) {
      const there = yield* rowsWith(
        records,
        integrationAssets,
        "integration",
        rows.map(({ id }) => id),
        ["integration", "hash", "kind"]
      )
      const known = new Set(there.map(({ integration, hash, kind }) => `${integration}/${kind}/${hash}`))
      const scripted = new Set(
        there.flatMap(({ integration, kind }) => (kind === "script" ? [integration] : []))
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const missing = [...(row.icon === null ? [] : [row.icon]), ...row.previewImages].filter(
          (hash) => !known.has(`${row.id}/image/${hash}`)
        )
        return [
          ...(scripted.has(row.id) ? [] : [{ check: assets, row, message: "has no script" }]),
          ...missing.map((hash) => ({ check: assets, row, message: `has no image ${hash}` }))
        ]
      })
    })
  ),
  examination(
    integrationAssets,
    [bytes],
    Effect.fnUntraced(function* ({ records }, rows) {
      const problems: Array<Problem> = []
      for (const row of rows) {
        const one = yield* records.get(integrationAssets, { integration: row.integration, hash: row.hash }, [
          "bytes"
        ])
        if (one === undefined || bytesToHex(sha256(one.bytes)) === row.hash) continue
        problems.push({ check: bytes, row, message: "has bytes with another hash" })
      }
      return problems
    }),
    { atOnce: assetsAtOnce }
  )
]
