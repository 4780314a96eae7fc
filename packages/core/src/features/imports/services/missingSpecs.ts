/** Reports the OpenAPI specs that imported pages display and that the organization does not have. */

import type { Skipped } from "@lectern/formats"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { openApiSpecs, type SpecRow } from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"
import type { GrantedReader } from "../../../access/grants/Grant.ts"
import type { PreparedImport } from "../PreparedImport.ts"

/** The maximum number of specs that are looked up. */
const maximumSpecs = 500

/** Returns an entry for each missing spec, with the first page that displays it. */
export const missingSpecs = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  { changes, outlines }: Pick<PreparedImport, "changes" | "outlines">
): Effect.fn.Return<ReadonlyArray<Skipped>, StorageUnavailable> {
  const pageOf = new Map<string, string>()
  for (const change of changes) {
    if (change.operation !== "import_page" || change.body === undefined) continue
    for (const { ref } of outlines.get(change.body)?.references ?? []) {
      if (ref.kind !== "openapi" || pageOf.has(ref.spec) || pageOf.size >= maximumSpecs) continue
      pageOf.set(ref.spec, change.imported.resource)
    }
  }
  if (pageOf.size === 0) return []
  const names = [...pageOf.keys()]
  const rows = yield* records.find(openApiSpecs, {
    where: Where.and<SpecRow>(
      Where.eq("organization", organization),
      Where.or<SpecRow>(
        Where.isIn(
          "id",
          names.map((name) => name as SpecRow["id"])
        ),
        Where.isIn(
          "slug",
          names.map((name) => name as SpecRow["slug"])
        )
      )
    )
  })
  const existing = new Set<string>(rows.flatMap(({ id, slug }) => [id, slug]))
  return [...pageOf].flatMap(
    ([spec, resource]): ReadonlyArray<Skipped> =>
      existing.has(spec)
        ? []
        : [
            {
              kind: "entry",
              resource,
              reason: `The page displays the OpenAPI specification ${spec.slice(0, 100)}, which the organization does not have. Register one with this slug, and the page displays its operations.`
            }
          ]
  )
})
