/** Finds the OpenAPI specs that computed pages refer to. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { openApiSpecs, type SpecRow } from "@lectern/kernel/tables"
import { SpecSlug } from "@lectern/model/openapi-specs"
import type { OrganizationId } from "@lectern/model/organizations"
import { Effect, Schema } from "effect"

const isSlug = Schema.is(SpecSlug)

/** Returns the specs of an organization by their references: ids or slugs. An id takes precedence over an equal slug. */
export const findSpecs = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  references: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyMap<string, SpecRow>, StorageUnavailable> {
  const distinct = [...new Set(references)]
  if (distinct.length === 0) return new Map()
  const specs = yield* records.find(openApiSpecs, {
    where: Where.and<SpecRow>(
      Where.eq("organization", organization),
      Where.or<SpecRow>(Where.isIn("id", distinct), Where.isIn("slug", distinct.filter(isSlug)))
    )
  })
  return new Map([
    ...specs.map((spec) => [spec.slug as string, spec] as const),
    ...specs.map((spec) => [spec.id as string, spec] as const)
  ])
})
