/** Operations that return single documents of content. */

import { Operations, type Query } from "@lectern/access"
import { MarkdownEngine } from "@lectern/formats"
import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import { runInSteps } from "@lectern/markdown/merge"
import {
  ComputeDocument,
  type ComputedRevision,
  type ComputedSource,
  ComputeRevision,
  ContentOf,
  DocumentId,
  DocumentOptions,
  ReusableContentId
} from "@lectern/model/content"
import type { JsonDocument } from "@lectern/model/document"
import { NotFound } from "@lectern/model/errors"
import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { documentIdOf, presentPages } from "../../../views/content/PageView.ts"
import { bodyInFormat, displayedBody } from "../bodyInFormat.ts"
import { ComputedPages } from "../ComputedPages.ts"
import { ContentAccess, type ContentError, type ResolvedContent } from "../ContentAccess.ts"
import { ContentStore } from "../ContentStore.ts"
import { makeVisibleParts, visibleMarkdown } from "../visibleContent.ts"

/**
 * Operations that return single documents, on behalf of the `CurrentUser`. Visitors of a published site that shows them
 * the space can call them, and receive documents whose conditions are evaluated.
 */
export interface DocumentsOperations {
  /** Returns the document of a page or a reusable content of the current content, by the `documentId` of the page. */
  readonly get: Query<{ content: ContentOf; document: DocumentId }, JsonDocument, ContentError>
  /** Returns the document of a reusable content. */
  readonly getOfReusableContent: Query<
    { content: ContentOf; reusableContent: ReusableContentId; input?: DocumentOptions },
    JsonDocument,
    ContentError
  >
  /**
   * Computes the document of a page from its source. Fails with `NotFound` if the content has no computed page of the
   * source, so that a caller can read only specs that the content publishes.
   */
  readonly compute: Query<{ content: ContentOf; input: ComputeDocument }, JsonDocument, ContentError>
  /**
   * Computes the pages that replace a computed page with this source. Fails with `NotFound` if the content has no such page, or if its
   * spec has no version.
   */
  readonly computeRevision: Query<
    { content: ContentOf; input: ComputeRevision },
    ComputedRevision,
    ContentError
  >
}

/** The number of contents whose documents are indexed by id. */
const maximumIndexes = 50

const isSameSource = (one: ComputedSource, other: ComputedSource): boolean =>
  one.dependencies.spec.ref.spec === other.dependencies.spec.ref.spec &&
  (one.props.models ?? true) === (other.props.models ?? true) &&
  one.props.doc === other.props.doc &&
  one.props.page === other.props.page

const makeDocumentReader = Effect.gen(function* () {
  const store = yield* ContentStore
  const convert = yield* MarkdownEngine
  const visibleParts = makeVisibleParts(store)
  const indexes = new LRUCache<string, ReadonlyMap<string, BlobHash>>({ max: maximumIndexes })

  const toDocument = Effect.fnUntraced(function* (
    resolved: ResolvedContent,
    markdown: string,
    options: DocumentOptions
  ): Effect.fn.Return<JsonDocument, StorageUnavailable> {
    const body = yield* bodyInFormat(convert, visibleMarkdown(resolved, markdown, options), "document")
    return displayedBody(resolved, options, body).document!
  })

  const documentAt = Effect.fnUntraced(function* (
    resolved: ResolvedContent,
    body: BlobHash | undefined,
    options: DocumentOptions
  ): Effect.fn.Return<JsonDocument, StorageUnavailable> {
    return yield* toDocument(resolved, body === undefined ? "" : yield* store.texts.get(body), options)
  })

  /** The bodies that the caller can see, by the ids of their documents. */
  const bodiesById = Effect.fnUntraced(function* (
    resolved: ResolvedContent
  ): Effect.fn.Return<ReadonlyMap<string, BlobHash>, StorageUnavailable> {
    const key = `${resolved.revision.root} ${resolved.visitor?.contextId}`
    const cached = indexes.get(key)
    if (cached !== undefined) return cached
    const parts = yield* visibleParts(resolved)
    const found = new Map<string, BlobHash>()
    const add = (record: { readonly body?: BlobHash }): void => {
      const id = documentIdOf(record)
      if (id !== undefined) found.set(id, record.body!)
    }
    for (const { page } of yield* resolved.tree.pages) if (page.type === "document") add(page)
    for (const [id, record] of yield* resolved.tree.reusableContents) {
      if (parts === undefined || parts.reusableContents.has(id)) add(record)
    }
    indexes.set(key, found)
    return found
  })

  return { visibleParts, toDocument, documentAt, bodiesById }
})

const makeDocuments = Effect.gen(function* () {
  const { query } = yield* Operations
  const access = yield* ContentAccess
  const computedPages = yield* ComputedPages
  const { bodiesById, documentAt, visibleParts, toDocument } = yield* makeDocumentReader

  return {
    get: query(
      "Documents.get",
      { parameters: { content: ContentOf, document: DocumentId }, authorize: access.allowPublished },
      function* ({ document }, resolved) {
        const body = (yield* bodiesById(resolved)).get(document)
        if (body === undefined) return yield* NotFound.of("document")
        return yield* documentAt(resolved, body, {})
      }
    ),

    getOfReusableContent: query(
      "Documents.getOfReusableContent",
      {
        parameters: { content: ContentOf, reusableContent: ReusableContentId, input: DocumentOptions },
        authorize: access.allowPublished
      },
      function* ({ reusableContent: id, input }, resolved) {
        const record = yield* resolved.tree.reusableContent(id)
        const parts = yield* visibleParts(resolved)
        if (record === undefined || parts?.reusableContents.has(id) === false) {
          return yield* NotFound.of("reusable content")
        }
        return yield* documentAt(resolved, record.body, input)
      }
    ),

    compute: query(
      "Documents.compute",
      { parameters: { content: ContentOf, input: ComputeDocument }, authorize: access.allowPublished },
      function* ({ input: { source } }, resolved) {
        const { pages } = yield* computedPages.in(resolved)
        const { spec } = source.dependencies
        const { doc, page: key } = source.props
        const computed = pages.find(
          ({ page: { computed } }) =>
            computed?.dependencies.spec.ref.spec === spec.ref.spec &&
            computed.props.doc === doc &&
            (key === undefined || computed.props.page === key)
        )
        if (computed === undefined) return yield* NotFound.of("document")
        return yield* toDocument(resolved, computed.markdown, {})
      }
    ),

    computeRevision: query(
      "Documents.computeRevision",
      { parameters: { content: ContentOf, input: ComputeRevision }, authorize: access.allowPublished },
      function* ({ input: { source } }, resolved) {
        const { pages, placeholders } = yield* computedPages.in(resolved)
        for (const placeholder of placeholders) {
          const stored = (yield* resolved.wholeTree.page(placeholder))?.computed
          if (stored === undefined || !isSameSource(stored, source)) continue
          const generated = pages
            .filter((placed) => placed.placeholder === placeholder)
            .map(({ id, page }) => ({ id, page: { ...page, parent: "" as const } }))
          const context = {
            app: resolved.appUrl,
            metadata: false,
            conditions: resolved.visitor === undefined
          }
          const presented = yield* runInSteps(presentPages(context, generated))
          return { pages: presented, files: [], reusableContents: [] }
        }
        return yield* NotFound.of("page")
      }
    )
  }
})

/** Operations that return single documents: see {@link DocumentsOperations}. */
export class Documents extends Context.Service<Documents, DocumentsOperations>()("@lectern/core/Documents") {
  static readonly layer: Layer.Layer<
    Documents,
    never,
    Operations | ContentAccess | ContentStore | ComputedPages
  > = Layer.effect(Documents, makeDocuments)
}
