/** Operations on content: reads of the content of a space, a change request or a revision, and edits in batches. */

import { Context, Effect, Layer, Schema } from "effect"
import { LRUCache } from "lru-cache"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import type { Command, Operation, Query } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import { NotFound } from "../../kernel/errors.ts"
import { TransactionEvents } from "../../kernel/events/TransactionEvents.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { readListed } from "../../kernel/pagination/paginate.ts"
import type { Page as PageOf } from "../../kernel/schema/Pagination.ts"
import type { BlobHash, Records, StorageUnavailable } from "../../kernel/storage/index.ts"
import { changeRequests } from "../../model/change-requests/ChangeRequest.ts"
import { baseOf } from "../../model/change-requests/ChangeRequestRules.ts"
import { ChangesQuery, defaultChanges, type SemanticChanges } from "../../model/content/Changes.ts"
import { ContentOf, EditableContent } from "../../model/content/ContentOf.ts"
import { ContentOptions, ListFiles, PageOptions, PagePath } from "../../model/content/ContentOptions.ts"
import type { PageRecord, Placed } from "../../model/content/ContentRecord.ts"
import { EditContent } from "../../model/content/EditContent.ts"
import type { EditResult } from "../../model/content/EditedContent.ts"
import { type File, FileId } from "../../model/content/File.ts"
import { type Page, PageId, type PageTree } from "../../model/content/Page.ts"
import { type ReusableContent, ReusableContentId } from "../../model/content/ReusableContent.ts"
import type { Revision } from "../../model/content/Revision.ts"
import { spaces } from "../../model/spaces/Space.ts"
import { presentChangeRequest } from "../../views/change-requests/ChangeRequestView.ts"
import { presentFile, presentReusableContent } from "../../views/content/FileView.ts"
import { presentPage, presentPages } from "../../views/content/PageView.ts"
import { ComputedPages, nothingComputed } from "./ComputedPages.ts"
import { ContentAccess, type ContentError, type Located } from "./ContentAccess.ts"
import { ContentStore } from "./ContentStore.ts"
import { changesBetween } from "./changesBetween.ts"
import { fromMarkdown } from "./document/fromMarkdown.ts"
import { makeWrite } from "./edit/edit.ts"
import { Download, FileUrls } from "./FileUrls.ts"
import { withInclusions } from "./inclusions.ts"
import { emptyRoot } from "./MerkleMap.ts"
import { Outlines } from "./outline/Outlines.ts"
import { sweep } from "./sweep.ts"

/** Operations on content, on behalf of the `CurrentUser`. */
export interface ContentOperations {
  /**
   * Applies a batch of 1 to 50 changes as one revision: all of them, or none. Returns the revision, the pages and
   * files that changed, and the change request, if the content is of one. Fails with `Conflict` if the space is locked
   * or the change request is closed.
   */
  readonly edit: Command<{ content: EditableContent; input: EditContent }, EditResult, ContentError>
  /**
   * Returns the bytes of a file to any client that has its signed URL, without a user. Returns undefined if the
   * signature is invalid, the space is deleted, or the file no longer exists.
   */
  readonly download: Operation<
    { file: Download; signature: string },
    Uint8Array | undefined,
    StorageUnavailable,
    never
  >
  /**
   * Garbage-collects blobs that no revision reaches and that have been unused for a day. Returns how many blobs it
   * removed. It acts for no user.
   */
  readonly sweep: Effect.Effect<number, StorageUnavailable>
  /** Returns the whole content as a revision: its pages in their tree, its files and its reusable contents. */
  readonly getRevision: Query<{ content: ContentOf; input?: ContentOptions }, Revision, ContentError>
  /** Returns all pages of the content in their tree, without bodies. */
  readonly listPages: Query<{ content: ContentOf; input?: ContentOptions }, PageTree, ContentError>
  /** Returns a page with the pages below it, and with its body if `format` is given. */
  readonly getPage: Query<{ content: ContentOf; page: PageId; input?: PageOptions }, Page, ContentError>
  /** Returns the page at a path of slugs. Leading and trailing slashes are ignored. */
  readonly getPageByPath: Query<{ content: ContentOf; path: string; input?: PageOptions }, Page, ContentError>
  /** Lists the files of the content, newest first. */
  readonly listFiles: Query<{ content: ContentOf; input?: ListFiles }, PageOf<File>, ContentError>
  /** Returns a file with its download URL. */
  readonly getFile: Query<{ content: ContentOf; file: FileId; input?: ContentOptions }, File, ContentError>
  /** Returns a reusable content, without its body. */
  readonly getReusableContent: Query<
    { content: ContentOf; reusableContent: ReusableContentId; input?: ContentOptions },
    ReusableContent,
    ContentError
  >
  /**
   * Lists the changes of pages, files and reusable contents: of a change request since the revision of the space that
   * it is based on, of other content since the revision before. Returns the first `limit` changes, 10 by default, and
   * the number of the others.
   */
  readonly listChanges: Query<{ content: ContentOf; input?: ChangesQuery }, SemanticChanges, ContentError>
}

/** How many pages of whole contents the cache holds. */
const maximumCachedPages = 50_000

/** The pages below the page that a path of ids leads to, starting from the root. */
const pagesBelow = (pages: ReadonlyArray<Page>, path: ReadonlyArray<PageId>): ReadonlyArray<Page> =>
  path.reduce<ReadonlyArray<Page>>((siblings, id) => {
    const page = siblings.find((sibling) => sibling.id === id)
    return page !== undefined && "pages" in page ? page.pages : []
  }, pages)

/** The body of a page in the requested format. */
const bodyInFormat = (
  markdown: string,
  format: PageOptions["format"]
): Pick<Extract<Page, { type: "document" }>, "markdown" | "document"> =>
  format === undefined ? {} : format === "markdown" ? { markdown } : { document: fromMarkdown(markdown) }

/** The number of pages in a tree. */
const countPages = (pages: ReadonlyArray<Page>): number =>
  pages.reduce((count, page) => count + 1 + ("pages" in page ? countPages(page.pages) : 0), 0)

const makeContent = Effect.gen(function* () {
  const system = yield* SystemGrant.make("Garbage-collects the blobs that no revision reaches.")
  const { query, command } = yield* Operations
  const access = yield* ContentAccess
  const store = yield* ContentStore
  const urls = yield* FileUrls
  const ids = yield* Ids
  const base = yield* PublicUrl
  const computedPages = yield* ComputedPages
  const events = yield* TransactionEvents
  const outlines = yield* Outlines
  const write = makeWrite({ access, content: store, urls, ids, events, outlines, base })

  const contextOf = ({ app }: Located, { metadata = true }: ContentOptions) => ({ app, metadata })

  /** Presented contents by what they are derived from. They are frozen, so that callers can cache by identity. */
  const contentCache = new LRUCache<string, object>({ maxSize: maximumCachedPages })

  const cached = Effect.fnUntraced(function* <A extends { readonly pages: ReadonlyArray<Page> }, E>(
    sources: ReadonlyArray<unknown>,
    compute: Effect.Effect<A, E>
  ): Effect.fn.Return<A, E> {
    const key = JSON.stringify(sources)
    const hit = contentCache.get(key)
    if (hit !== undefined) return hit as A
    const value = Object.freeze(yield* compute)
    contentCache.set(key, value, { size: 1 + countPages(value.pages) })
    return value
  })

  /** The computed pages of content, unless the caller excludes them. Revisions are immutable and have none. */
  const computedIn = (located: Located, options: ContentOptions) =>
    options.computed === false || located.isRevision
      ? Effect.succeed(nothingComputed)
      : computedPages.in(located)

  const treeOf = Effect.fnUntraced(function* (located: Located, options: ContentOptions) {
    const context = contextOf(located, options)
    const { seed, replaced, pages } = yield* computedIn(located, options)
    return yield* cached(
      ["pages", located.revision.root, context, seed],
      Effect.map(located.tree.pages, (all) => ({
        pages: presentPages(context, [...all.filter(({ id }) => !replaced.has(id)), ...pages])
      }))
    )
  })

  /** Finds a computed page by its id or its place; undefined if there is none. */
  const computedPage = Effect.fnUntraced(function* (
    located: Located,
    options: PageOptions,
    matches: (placed: Placed) => boolean
  ): Effect.fn.Return<Page | undefined, StorageUnavailable> {
    const found = (yield* computedIn(located, options)).pages.find(matches)
    if (found === undefined) return undefined
    const above = (yield* located.tree.above(found.page)).toReversed()
    const path = [...above.map(({ page }) => page.slug), found.page.slug].join("/")
    const page = presentPage(contextOf(located, options), found, path, [])
    return { ...page, ...bodyInFormat(found.markdown, options.format) }
  })

  const wholeOf = Effect.fnUntraced(function* (located: Located, options: ContentOptions) {
    const { revision, app, tree } = located
    const { pages } = yield* treeOf(located, options)
    return {
      object: "revision",
      id: revision.id,
      type: revision.type,
      parents: revision.parents,
      pages,
      files: yield* presentFiles(located, options),
      reusableContents: (yield* tree.reusableContents).map(([id, record]) =>
        presentReusableContent(id, record, options)
      ),
      createdAt: revision.createdAt,
      ...(revision.git === null || options.metadata === false ? {} : { git: revision.git }),
      urls: { app }
    } satisfies Revision
  })

  const bodyOf = Effect.fnUntraced(function* (
    located: Located,
    page: PageRecord,
    format: PageOptions["format"]
  ): Effect.fn.Return<
    Pick<Extract<Page, { type: "document" }>, "markdown" | "document">,
    StorageUnavailable
  > {
    if (format === undefined || page.type !== "document") return {}
    const text = page.body === undefined ? "" : yield* store.texts.get(page.body)
    return bodyInFormat(yield* withInclusions(store, located.tree, text), format)
  })

  /** A page with the pages below it, and its body if a format is given. */
  const presentStoredPage = Effect.fnUntraced(function* (
    located: Located,
    placed: Placed,
    options: PageOptions
  ): Effect.fn.Return<Page, StorageUnavailable> {
    const { tree } = located
    const above = (yield* tree.above(placed.page)).toReversed()
    const path = [...above.map(({ page }) => page.slug), placed.page.slug].join("/")
    const hasPages = (yield* tree.children(placed.id, { limit: 1 })).length > 0
    const idPath = [...above.map(({ id }) => id), placed.id]
    const pages = hasPages ? pagesBelow((yield* treeOf(located, options)).pages, idPath) : []
    const page = presentPage(contextOf(located, options), placed, path, pages)
    return { ...page, ...(yield* bodyOf(located, placed.page, options.format)) }
  })

  const presentFiles = Effect.fnUntraced(function* (located: Located, options: ContentOptions) {
    const urlOf = yield* urls.in(located.space.id)
    return (yield* located.tree.files()).map(([id, file]) => presentFile(urlOf, id, file, options))
  })

  /** The change request whose merge created the revision. */
  const mergedFrom = Effect.fnUntraced(function* ({ space, revision, grant: { records } }: Located) {
    if (revision.mergedFrom === null) return {}
    const row = (yield* records.get(changeRequests, { id: revision.mergedFrom }))!
    return { mergedFrom: yield* presentChangeRequest(records, base, space, row) }
  })

  return {
    edit: command(
      "Content.edit",
      { parameters: { content: EditableContent, input: EditContent }, authorize: access.allow("edit") },
      function* ({ input }, located) {
        return yield* write(located, input)
      }
    ),

    download: query(
      "Content.download",
      { parameters: { file: Download, signature: Schema.String }, authorize: urls.allowSigned },
      function* ({ file }, { isSigned, records }) {
        if (!isSigned) return undefined
        const space = yield* records.get(spaces, { id: file.space }, ["deletedAt"])
        return space === undefined || space.deletedAt !== null
          ? undefined
          : yield* store.blobs.find(file.hash)
      }
    ),

    sweep: Effect.suspend(() => sweep(system.records, store)),

    getRevision: query(
      "Content.getRevision",
      { parameters: { content: ContentOf, input: ContentOptions }, authorize: access.allow("read") },
      function* ({ input }, located) {
        const merged = yield* mergedFrom(located)
        const { seed } = yield* computedIn(located, input)
        return yield* cached(
          ["revision", located.revision.id, contextOf(located, input), merged, seed],
          Effect.map(wholeOf(located, input), (whole): Revision => ({ ...whole, ...merged }))
        )
      }
    ),

    listPages: query(
      "Content.listPages",
      { parameters: { content: ContentOf, input: ContentOptions }, authorize: access.allow("read") },
      function* ({ input }, located) {
        return yield* treeOf(located, input)
      }
    ),

    getPage: query(
      "Content.getPage",
      {
        parameters: { content: ContentOf, page: PageId, input: PageOptions },
        authorize: access.allow("read")
      },
      function* ({ page: id, input }, located) {
        const page = yield* located.tree.page(id)
        if (page !== undefined) return yield* presentStoredPage(located, { id, page }, input)
        const computed = yield* computedPage(located, input, (placed) => placed.id === id)
        return computed ?? (yield* NotFound.of("page"))
      }
    ),

    getPageByPath: query(
      "Content.getPageByPath",
      {
        parameters: { content: ContentOf, path: PagePath, input: PageOptions },
        authorize: access.allow("read")
      },
      function* ({ path, input }, located) {
        let found: Placed | undefined
        const slugs = path.replace(/^\/+|\/+$/g, "").split("/")
        for (const [index, slug] of slugs.entries()) {
          const id: PageId | undefined = yield* located.tree.bySlug(found?.id ?? "", slug)
          const page: PageRecord | undefined = id === undefined ? undefined : yield* located.tree.page(id)
          if (id === undefined || page === undefined) {
            const parent: PageId | "" = found?.id ?? ""
            const isLast = index === slugs.length - 1
            const computed: Page | undefined = isLast
              ? yield* computedPage(
                  located,
                  input,
                  ({ page }) => page.parent === parent && page.slug === slug
                )
              : undefined
            return computed ?? (yield* NotFound.of("page"))
          }
          found = { id, page }
        }
        return yield* presentStoredPage(located, found!, input)
      }
    ),

    listFiles: query(
      "Content.listFiles",
      { parameters: { content: ContentOf, input: ListFiles }, authorize: access.allow("read") },
      function* ({ content, input }, located) {
        const urlOf = yield* urls.in(located.space.id)
        return yield* readListed(input, {
          list: ["files", content],
          count: Effect.map(located.tree.files(), (files) => files.length),
          rows: (before, limit) => located.tree.files(before, limit),
          idOf: ([id]) => id,
          present: ([id, file]) => presentFile(urlOf, id, file, input)
        })
      }
    ),

    getFile: query(
      "Content.getFile",
      {
        parameters: { content: ContentOf, file: FileId, input: ContentOptions },
        authorize: access.allow("read")
      },
      function* ({ file: id, input }, located) {
        const file = yield* located.tree.file(id)
        if (file === undefined) return yield* NotFound.of("file")
        return presentFile(yield* urls.in(located.space.id), id, file, input)
      }
    ),

    getReusableContent: query(
      "Content.getReusableContent",
      {
        parameters: { content: ContentOf, reusableContent: ReusableContentId, input: ContentOptions },
        authorize: access.allow("read")
      },
      function* ({ reusableContent: id, input }, located) {
        const record = yield* located.tree.reusableContent(id)
        if (record === undefined) return yield* NotFound.of("reusable content")
        return presentReusableContent(id, record, input)
      }
    ),

    listChanges: query(
      "Content.listChanges",
      { parameters: { content: ContentOf, input: ChangesQuery }, authorize: access.allow("read") },
      function* ({ input: { limit = defaultChanges } }, located) {
        const { space, changeRequest, revision } = located
        const from = changeRequest === undefined ? revision.parents[0] : baseOf(changeRequest)
        const before: BlobHash =
          from === undefined ? emptyRoot : (yield* access.revisionOf(located.records, space.id, from)).root
        const urlOf = yield* urls.in(space.id)
        const changes = yield* changesBetween(store, before, revision.root, urlOf)
        return {
          ...(yield* mergedFrom(located)),
          changes: changes.slice(0, limit),
          ...(changes.length > limit ? { more: changes.length - limit } : {})
        } satisfies SemanticChanges
      }
    )
  }
})

/** Operations on content: see {@link ContentOperations}. */
export class Content extends Context.Service<Content, ContentOperations>()("@lectern/core/Content") {
  static readonly layer: Layer.Layer<
    Content,
    never,
    | Records
    | Records
    | Operations
    | ContentAccess
    | ContentStore
    | ComputedPages
    | FileUrls
    | Ids
    | TransactionEvents
    | Outlines
  > = Layer.effect(Content, makeContent)
}
