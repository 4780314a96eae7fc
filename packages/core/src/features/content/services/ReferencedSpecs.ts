/** Operations that return the OpenAPI documents that pages display. */

import type { StorageUnavailable } from "@lectern/kernel"
import { openApiVersions } from "@lectern/kernel/tables"
import { ContentOf, PageId } from "@lectern/model/content"
import { NotFound } from "@lectern/model/errors"
import type { SpecVersionId } from "@lectern/model/openapi-specs"
import { text } from "@lectern/model/schema"
import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import type { Query } from "../../../access/operations/Operation.ts"
import { Operations } from "../../../access/operations/Operations.ts"
import { ComputedPages } from "../ComputedPages.ts"
import { ContentAccess, type ContentError, type ResolvedContent } from "../ContentAccess.ts"
import { ContentStore } from "../ContentStore.ts"
import { findSpecs } from "../findSpecs.ts"
import { withInclusions } from "../inclusions.ts"
import { specsIn, visibleMarkdown } from "../visibleContent.ts"

/** The current version of an OpenAPI spec, with its first document. */
export interface ReferencedSpec {
  /** The id of the version. */
  readonly version: SpecVersionId
  /** The parsed document. */
  readonly document: unknown
}

/** Operations on the OpenAPI specs that pages display, on behalf of the `CurrentUser`. Visitors of sites can call them. */
export interface ReferencedSpecsOperations {
  /**
   * Returns the current version of a spec that a page displays, by the reference of the page: the id or the slug of the
   * spec. Fails with `NotFound` unless the page is computed from the spec, or the part of it that the caller can see has a
   * block of the spec. So a caller can read only the specs that the content publishes.
   */
  readonly get: Query<{ content: ContentOf; page: PageId; spec: string }, ReferencedSpec, ContentError>
}

/** The number of versions whose parsed documents are cached. */
const maximumCachedVersions = 8

const makeReferencedSpecs = Effect.gen(function* () {
  const { query } = yield* Operations
  const access = yield* ContentAccess
  const store = yield* ContentStore
  const computedPages = yield* ComputedPages
  const versions = new LRUCache<SpecVersionId, ReferencedSpec>({ max: maximumCachedVersions })

  /** Whether the caller can see that a page refers to a spec. */
  const isReferenced = Effect.fnUntraced(function* (
    resolved: ResolvedContent,
    id: PageId,
    spec: string
  ): Effect.fn.Return<boolean, StorageUnavailable> {
    const page = yield* resolved.tree.page(id)
    if (page === undefined) {
      const { pages } = yield* computedPages.in(resolved)
      return pages.some(
        (placed) => placed.id === id && placed.page.computed?.dependencies.spec.ref.spec === spec
      )
    }
    if (page.body === undefined) return false
    const markdown = yield* withInclusions(store, resolved.tree, yield* store.texts.get(page.body))
    return specsIn(visibleMarkdown(resolved, markdown)).includes(spec)
  })

  return {
    get: query(
      "ReferencedSpecs.get",
      {
        parameters: { content: ContentOf, page: PageId, spec: text({ min: 1, max: 100 }) },
        authorize: access.allowPublished
      },
      function* ({ page, spec: reference }, resolved) {
        if (!(yield* isReferenced(resolved, page, reference))) return yield* NotFound.of("OpenAPI spec")
        const { records } = resolved.grant
        const spec = (yield* findSpecs(records, resolved.space.organization, [reference])).get(reference)
        const version = spec?.lastVersion ?? null
        if (version === null) return yield* NotFound.of("OpenAPI spec")
        const cached = versions.get(version)
        if (cached !== undefined) return cached
        const row = yield* records.get(openApiVersions, { id: version }, ["files"])
        if (row === undefined) return yield* NotFound.of("OpenAPI spec")
        const [document] = Object.values(
          JSON.parse(new TextDecoder().decode(row.files)) as Record<string, unknown>
        )
        const found: ReferencedSpec = { version, document }
        versions.set(version, found)
        return found
      }
    )
  }
})

/** Operations on the OpenAPI specs that pages display: see {@link ReferencedSpecsOperations}. */
export class ReferencedSpecs extends Context.Service<ReferencedSpecs, ReferencedSpecsOperations>()(
  "@lectern/core/ReferencedSpecs"
) {
  static readonly layer: Layer.Layer<
    ReferencedSpecs,
    never,
    Operations | ContentAccess | ContentStore | ComputedPages
  > = Layer.effect(ReferencedSpecs, makeReferencedSpecs)
}
