/** Operations that return the OpenAPI documents that pages display. */

import { type GrantedReader, Operations, type Query } from "@lectern/access"
import { SpecParser } from "@lectern/formats"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { openApiSpecs, openApiVersions, type SpecRow } from "@lectern/kernel/tables"
import { bundleDocuments } from "@lectern/markdown/openapi"
import { ContentOf, FileId, PageId } from "@lectern/model/content"
import { NotFound } from "@lectern/model/errors"
import { text } from "@lectern/model/schema"
import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { ComputedPages } from "../ComputedPages.ts"
import { ContentAccess, type ContentError, type ResolvedContent } from "../ContentAccess.ts"
import { ContentStore } from "../ContentStore.ts"
import { findSpecs } from "../findSpecs.ts"
import { withInclusions } from "../inclusions.ts"
import { makeReadSpecFile } from "../specDocuments.ts"
import { specSourcesIn, specsIn, visibleMarkdown } from "../visibleContent.ts"

/** The current version of an OpenAPI spec. */
export interface ReferencedSpec {
  /** Identifies the version: equal versions have equal documents. */
  readonly version: string
  /** The parsed document, with the documents that it refers to. */
  readonly document: unknown
  /** The URL of the document, which relative URLs of servers are resolved against; undefined if it is unknown. */
  readonly url: string | undefined
}

/** Operations on the OpenAPI specs that pages display, on behalf of the `CurrentUser`. Visitors of sites can call them. */
export interface ReferencedSpecsOperations {
  /**
   * Returns the current version of a spec that a page displays, by the reference of the page: the id or the slug of the
   * spec, the URL of its source, or a file of the content (`/files/<id>`). Fails with `NotFound` unless the page is computed
   * from the spec, or the part of it that the caller can see has a block of the spec. So a caller can read only the specs that
   * the content publishes.
   */
  readonly get: Query<{ content: ContentOf; page: PageId; spec: string }, ReferencedSpec, ContentError>
  /** Returns the version that `get` returns, without its document. Fails like `get`. */
  readonly getVersion: Query<
    { content: ContentOf; page: PageId; spec: string },
    Pick<ReferencedSpec, "version">,
    ContentError
  >
}

/** The number of versions whose parsed documents are cached. */
const maximumCachedVersions = 8

/** Matches a reference to a file of the content. */
const fileReference = /^\/files\/([A-Za-z0-9._~-]{1,64})$/

/** Finds a spec by the reference of a page. */
const findSpec = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: SpecRow["organization"],
  reference: string
): Effect.fn.Return<SpecRow | undefined, StorageUnavailable> {
  if (!/^https?:\/\//.test(reference))
    return (yield* findSpecs(records, organization, [reference])).get(reference)
  return yield* records.first(openApiSpecs, {
    where: Where.and<SpecRow>(Where.eq("organization", organization), Where.eq("sourceURL", reference))
  })
})

const parameters = { content: ContentOf, page: PageId, spec: text({ min: 1, max: 2_000 }) }

const makeReferencedSpecs = Effect.gen(function* () {
  const { query } = yield* Operations
  const access = yield* ContentAccess
  const store = yield* ContentStore
  const computedPages = yield* ComputedPages
  const readSpecFile = makeReadSpecFile(store, yield* SpecParser)
  const documents = new LRUCache<string, { readonly document: unknown }>({ max: maximumCachedVersions })

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
    const whole = yield* withInclusions(store, resolved.tree, yield* store.texts.get(page.body))
    const markdown = visibleMarkdown(resolved, whole)
    return specsIn(markdown).includes(spec) || specSourcesIn(markdown).includes(spec)
  })

  /** Finds a spec that a page displays: a file of the content, or a version of a registered spec. */
  const find = Effect.fnUntraced(function* (
    resolved: ResolvedContent,
    page: PageId,
    reference: string
  ): Effect.fn.Return<
    | { readonly file: FileId; readonly version: string }
    | { readonly spec: SpecRow; readonly version: string },
    NotFound | StorageUnavailable
  > {
    const missing = NotFound.of("OpenAPI spec")
    if (!(yield* isReferenced(resolved, page, reference))) return yield* missing
    const id = fileReference.exec(reference)?.[1]
    if (id !== undefined) {
      const file = FileId.make(id)
      const record = yield* resolved.tree.file(file)
      return record === undefined ? yield* missing : { file, version: `${resolved.revision.root} ${id}` }
    }
    const { grant, space } = resolved
    const spec = yield* findSpec(grant.records, space.organization, reference)
    return spec === undefined || spec.lastVersion === null
      ? yield* missing
      : { spec, version: spec.lastVersion }
  })

  /** Reads the documents of a version of a registered spec, as one. */
  const readVersion = Effect.fnUntraced(function* (
    records: GrantedReader,
    version: SpecRow["lastVersion"]
  ): Effect.fn.Return<unknown, StorageUnavailable> {
    if (version === null) return undefined
    const cached = documents.get(version)
    if (cached !== undefined) return cached.document
    const row = yield* records.get(openApiVersions, { id: version }, ["files"])
    if (row === undefined) return undefined
    const files = JSON.parse(new TextDecoder().decode(row.files)) as Record<string, unknown>
    const document = bundleDocuments(new Map(Object.entries(files)))
    documents.set(version, { document })
    return document
  })

  return {
    get: query(
      "ReferencedSpecs.get",
      { parameters, authorize: access.allowPublished },
      function* ({ page, spec: reference }, resolved) {
        const found = yield* find(resolved, page, reference)
        const document =
          "file" in found
            ? yield* readSpecFile(resolved, found.file)
            : yield* readVersion(resolved.grant.records, found.spec.lastVersion)
        if (document === undefined) return yield* NotFound.of("OpenAPI spec")
        const url = "spec" in found ? (found.spec.sourceURL ?? undefined) : undefined
        return { version: found.version, document, url } satisfies ReferencedSpec
      }
    ),

    getVersion: query(
      "ReferencedSpecs.getVersion",
      { parameters, authorize: access.allowPublished },
      function* ({ page, spec: reference }, resolved) {
        const { version } = yield* find(resolved, page, reference)
        return { version }
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
