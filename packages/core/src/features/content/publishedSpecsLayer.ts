/** Finds the OpenAPI specs that the content of published sites displays. */

import { VisitorAccess } from "@lectern/access"
import { Where } from "@lectern/kernel"
import { openApiSpecs, type SpecRow, siteSpacesInOrder } from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import { Effect, Layer } from "effect"
import { PublishedSpecs } from "../openapi-specs/PublishedSpecs.ts"
import { ContentAccess } from "./ContentAccess.ts"
import { ContentStore } from "./ContentStore.ts"
import { makeVisibleParts } from "./visibleContent.ts"

const hidden = NotFound.of("OpenAPI spec")

/** Provides {@link PublishedSpecs}: a visitor can read the specs of the blocks and the computed pages that they can see. */
export const publishedSpecsLayer: Layer.Layer<
  PublishedSpecs,
  never,
  VisitorAccess | ContentAccess | ContentStore
> = Layer.effect(
  PublishedSpecs,
  Effect.gen(function* () {
    const visitors = yield* VisitorAccess
    const access = yield* ContentAccess
    const visibleParts = makeVisibleParts(yield* ContentStore)
    return {
      admit: Effect.fnUntraced(function* (visitor, { organization, slug }) {
        if (visitor === "anonymous" || visitor.organization !== organization) return yield* hidden
        const { grant, structure } = yield* Effect.catchTag(visitors.admit(visitor), "NotFound", () => hidden)
        const spec = yield* grant.records.first(openApiSpecs, {
          where: Where.and<SpecRow>(Where.eq("organization", organization), Where.eq("slug", slug))
        })
        if (spec === undefined) return yield* hidden
        for (const { space } of siteSpacesInOrder(structure)) {
          // Spaces in the trash remain on the site, and are not visible.
          const parts = yield* access.open({ space }, "read").pipe(
            Effect.flatMap(visibleParts),
            Effect.catchTag(["NotFound", "Gone", "Forbidden", "Conflict"], () => Effect.succeed(undefined))
          )
          if (parts?.specs.has(spec.slug) === true || parts?.specs.has(spec.id) === true)
            return { grant, spec }
        }
        return yield* hidden
      })
    }
  })
)
