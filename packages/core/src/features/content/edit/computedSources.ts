/** Validates the sources of computed pages. */

import type { GrantedReader } from "@lectern/access"
import type { StorageUnavailable } from "@lectern/kernel"
import { type InvalidField, InvalidInput } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"
import { findSpecs } from "../findSpecs.ts"
import type { AnyChange } from "./EditContext.ts"

/** Fails with `InvalidInput` for all changes that refer to an OpenAPI spec that the organization does not have. */
export const checkSources = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  changes: ReadonlyArray<AnyChange>
): Effect.fn.Return<void, InvalidInput | StorageUnavailable> {
  const references = changes.flatMap((change, index) =>
    "computed" in change && change.computed !== undefined
      ? [{ spec: change.computed.dependencies.spec.ref.spec, index }]
      : []
  )
  const specs = yield* findSpecs(
    records,
    organization,
    references.map(({ spec }) => spec)
  )
  const invalid = references.flatMap(({ spec, index }): ReadonlyArray<InvalidField> => {
    const path = `changes.${index}.computed.dependencies.spec.ref.spec`
    return specs.has(spec)
      ? []
      : [{ path, message: "is not the id or the slug of an OpenAPI spec of this organization" }]
  })
  if (invalid.length > 0) return yield* InvalidInput.of(invalid)
})
