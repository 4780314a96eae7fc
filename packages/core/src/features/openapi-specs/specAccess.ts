/** Authorizations of operations on OpenAPI specs. */

import { type Authorization, alsoForVisitors, type Caller, CurrentUser, Operations } from "@lectern/access"
import { Where } from "@lectern/kernel"
import { openApiSpecs, openApiVersions, type SpecRow, type SpecVersionRow } from "@lectern/kernel/tables"
import { type Forbidden, NotFound } from "@lectern/model/errors"
import type { SpecSlug } from "@lectern/model/openapi-specs"
import type { OrganizationId } from "@lectern/model/organizations"
import { organizationActions } from "@lectern/model/roles"
import { Effect } from "effect"
import type { SpecVersionRef } from "./OpenApiSpecsOperations.ts"
import { PublishedSpecs } from "./PublishedSpecs.ts"

/** Matches the spec with a slug. */
export const whereSlug = (organization: OrganizationId, slug: SpecSlug): Where.Where<SpecRow> =>
  Where.and<SpecRow>(Where.eq("organization", organization), Where.eq("slug", slug))

/** The parameters that name a spec. */
export interface SpecTarget {
  readonly organization: OrganizationId
  readonly slug: SpecSlug
}

/** Creates the authorizations of an action on a spec or on one of its versions. */
export const makeSpecAccess = Effect.gen(function* () {
  const { allow } = yield* Operations
  const published = yield* PublishedSpecs

  const loadSpec = Effect.fnUntraced(function* (target: SpecTarget, action: "listSpecs" | "create") {
    const [given, spec] = yield* allow.loading(
      allow.organization(action),
      (records, { organization, slug }: SpecTarget) =>
        records.first(openApiSpecs, { where: whereSlug(organization, slug) })
    )(target)
    if (spec === undefined) return yield* NotFound.of("OpenAPI spec")
    return { ...given, spec }
  })

  /** Authorizes an operation on a spec of an organization. The grant has the spec. */
  const allowSpec = (
    action: "listSpecs" | "create"
  ): Authorization<
    SpecTarget,
    { readonly caller: Caller; readonly spec: SpecRow },
    NotFound | Forbidden,
    CurrentUser
  > => ({
    rule: { kind: "policy", action: `organization.${action}`, role: organizationActions[action] },
    check: (target) => loadSpec(target, action)
  })

  /**
   * Authorizes reading a version of a spec, and admits visitors to the latest version of a spec that their site displays. The
   * grant has the spec, and the version without its documents.
   */
  const allowVersion: Authorization<
    SpecTarget & { readonly version: SpecVersionRef },
    { readonly spec: SpecRow; readonly version: Pick<SpecVersionRow, "id" | "spec" | "createdAt"> },
    NotFound | Forbidden,
    CurrentUser
  > = {
    rule: alsoForVisitors(allowSpec("listSpecs").rule, "token"),
    check: Effect.fnUntraced(function* (target) {
      const { visitor } = yield* CurrentUser
      const { spec, grant } =
        visitor === undefined ? yield* loadSpec(target, "listSpecs") : yield* published.admit(visitor, target)
      const id = target.version === "latest" ? spec.lastVersion : target.version
      if (visitor !== undefined && id !== spec.lastVersion) return yield* NotFound.of("version")
      const version =
        id === null
          ? undefined
          : yield* grant.records.get(openApiVersions, { id }, ["id", "spec", "createdAt"])
      if (version?.spec !== spec.id) return yield* NotFound.of("version")
      return { spec, version, grant }
    })
  }

  return { allowSpec, allowVersion }
})
