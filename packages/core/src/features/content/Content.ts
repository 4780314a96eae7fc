/**
 * What callers do with content: they read it, whole or page by page, and edit it in batches. The content of a space,
 * of a change request and of any revision of the space are read alike.
 */

import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { NotFound } from "../../kernel/errors.ts"
import { TransactionEvents } from "../../kernel/events/TransactionEvents.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { query } from "../../kernel/operation/Operation.ts"
import { readListed } from "../../kernel/pagination/paginate.ts"
import { type BlobHash, Records, type StorageUnavailable } from "../../kernel/storage/index.ts"
import { changeRequests } from "../../model/change-requests/ChangeRequest.ts"
import { baseOf } from "../../model/change-requests/ChangeRequestRules.ts"
import { ChangesQuery, defaultChanges, type SemanticChanges } from "../../model/content/Changes.ts"
import { ContentOf } from "../../model/content/ContentOf.ts"
import { ContentOptions, ListFiles, PageOptions, PagePath } from "../../model/content/ContentOptions.ts"
import type { PageRecord, Placed } from "../../model/content/ContentRecord.ts"
import { FileId } from "../../model/content/File.ts"
import { type Page, PageId } from "../../model/content/Page.ts"
import { ReusableContentId } from "../../model/content/ReusableContent.ts"
import type { Revision } from "../../model/content/Revision.ts"
import { spaces } from "../../model/spaces/Space.ts"
import { presentChangeRequest } from "../../views/change-requests/ChangeRequestView.ts"
import { presentFile, presentReusableContent } from "../../views/content/FileView.ts"
import { presentPage, presentPages } from "../../views/content/PageView.ts"
import { ComputedPages, nothingComputed } from "./ComputedPages.ts"
import { ContentAccess, type Located } from "./ContentAccess.ts"
import { ContentStore } from "./ContentStore.ts"
import { changesBetween } from "./changesBetween.ts"
import { fromMarkdown } from "./document/fromMarkdown.ts"
import { makeEdit } from "./edit/edit.ts"
import { type Download, FileUrls } from "./FileUrls.ts"
import { withInclusions } from "./inclusions.ts"
import { emptyRoot } from "./MerkleMap.ts"
import { Outlines } from "./outline/Outlines.ts"
import { sweep } from "./sweep.ts"

/** How many pages of whole contents are kept in memory. */
const pagesKept = 50_000

/** The pages below the one that a way of ids leads to, from the root on. */
const pagesAt = (pages: ReadonlyArray<Page>, way: ReadonlyArray<PageId>): ReadonlyArray<Page> =>
  way.reduce<ReadonlyArray<Page>>((pages, id) => {
    const page = pages.find((one) => one.id === id)
    return page !== undefined && "pages" in page ? page.pages : []
  }, pages)

/** Markdown in the format that is asked for. */
const inFormat = (
  markdown: string,
  format: PageOptions["format"]
): Pick<Extract<Page, { type: "document" }>, "markdown" | "document"> =>
  format === undefined ? {} : format === "markdown" ? { markdown } : { document: fromMarkdown(markdown) }

/** How many pages there are in a tree. */
const countOf = (pages: ReadonlyArray<Page>): number =>
  pages.reduce((count, page) => count + 1 + ("pages" in page ? countOf(page.pages) : 0), 0)

const makeContent = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* ContentAccess
  const content = yield* ContentStore
  const urls = yield* FileUrls
  const ids = yield* Ids
  const base = yield* PublicUrl

  const computedPages = yield* ComputedPages
  const events = yield* TransactionEvents
  const outlines = yield* Outlines

  const contextOf = ({ app }: Located, { metadata = true }: ContentOptions) => ({ app, metadata })

  /**
   * Whole contents that were shown, by what they show. They are frozen: one is always the same, so that whoever writes
   * it out can keep its text too.
   */
  const shown = new LRUCache<string, object>({ maxSize: pagesKept })

  const once = Effect.fnUntraced(function* <A extends { readonly pages: ReadonlyArray<Page> }, E>(
    what: ReadonlyArray<unknown>,
    make: Effect.Effect<A, E>
  ): Effect.fn.Return<A, E> {
    const key = JSON.stringify(what)
    const known = shown.get(key)
    if (known !== undefined) return known as A
    const value = Object.freeze(yield* make)
    shown.set(key, value, { size: 1 + countOf(value.pages) })
    return value
  })

  /** What is computed in a content, where that is asked for. A revision stays as it is. */
  const computedIn = (located: Located, options: ContentOptions) =>
    options.computed === false || located.isRevision
      ? Effect.succeed(nothingComputed)
      : computedPages.in(located)

  const treeOf = Effect.fnUntraced(function* (located: Located, options: ContentOptions) {
    const context = contextOf(located, options)
    const { seed, replaced, pages } = yield* computedIn(located, options)
    return yield* once(
      ["pages", located.revision.root, context, seed],
      Effect.map(located.tree.pages, (all) => ({
        pages: presentPages(context, [...all.filter(({ id }) => !replaced.has(id)), ...pages])
      }))
    )
  })

  /** A page that was computed, by its id or by its place; undefined where there is none. */
  const computedPage = Effect.fnUntraced(function* (
    located: Located,
    options: PageOptions,
    is: (placed: Placed) => boolean
  ): Effect.fn.Return<Page | undefined, StorageUnavailable> {
    const found = (yield* computedIn(located, options)).pages.find(is)
    if (found === undefined) return undefined
    const above = (yield* located.tree.above(found.page)).toReversed()
    const path = [...above.map(({ page }) => page.slug), found.page.slug].join("/")
    const page = presentPage(contextOf(located, options), found, path, [])
    return { ...page, ...inFormat(found.markdown, options.format) }
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
    const text = page.body === undefined ? "" : yield* content.texts.get(page.body)
    return inFormat(yield* withInclusions(content, located.tree, text), format)
  })

  /** A page with the pages below it, and its body where a format is asked for. */
  const presentStoredPage = Effect.fnUntraced(function* (
    located: Located,
    placed: Placed,
    options: PageOptions
  ): Effect.fn.Return<Page, StorageUnavailable> {
    const { tree } = located
    const above = (yield* tree.above(placed.page)).toReversed()
    const path = [...above.map(({ page }) => page.slug), placed.page.slug].join("/")
    const hasPages = (yield* tree.children(placed.id, { limit: 1 })).length > 0
    const way = [...above.map(({ id }) => id), placed.id]
    const pages = hasPages ? pagesAt((yield* treeOf(located, options)).pages, way) : []
    const page = presentPage(contextOf(located, options), placed, path, pages)
    return { ...page, ...(yield* bodyOf(located, placed.page, options.format)) }
  })

  const presentFiles = Effect.fnUntraced(function* (located: Located, options: ContentOptions) {
    const urlOf = yield* urls.in(located.space.id)
    return (yield* located.tree.files()).map(([id, file]) => presentFile(urlOf, id, file, options))
  })

  /** The change request that a merge brought in. */
  const mergedFrom = Effect.fnUntraced(function* ({ space, revision }: Located) {
    if (revision.mergedFrom === null) return {}
    const row = (yield* records.get(changeRequests, { id: revision.mergedFrom }))!
    return { mergedFrom: yield* presentChangeRequest(records, base, space, row) }
  })

  return {
    /** Changes the content of a space or of a change request by a batch: all of it, or nothing. */
    edit: makeEdit({ records, access, content, urls, ids, events, outlines, base }),

    /**
     * The bytes of a file, for whoever has its address: no caller is needed. `undefined` where the address was not
     * made here, or what it names is gone.
     */
    download: Effect.fnUntraced(function* (
      download: Download,
      signature: string
    ): Effect.fn.Return<Uint8Array | undefined, StorageUnavailable> {
      if (!(yield* urls.isSigned(download, signature))) return undefined
      const space = yield* records.get(spaces, { id: download.space }, ["deletedAt"])
      return space === undefined || space.deletedAt !== null
        ? undefined
        : yield* content.blobs.find(download.hash)
    }),

    /** Removes the content that nothing reaches any more, and answers how many blobs that were. It acts for nobody. */
    sweep: Effect.suspend(() => sweep(records, content)),

    /** The whole content, as a revision. */
    revision: query([ContentOf, ContentOptions], function* (ref, options) {
      const located = yield* access.open(ref, "read")
      const merged = yield* mergedFrom(located)
      const { seed } = yield* computedIn(located, options)
      return yield* once(
        ["revision", located.revision.id, contextOf(located, options), merged, seed],
        Effect.map(wholeOf(located, options), (whole): Revision => ({ ...whole, ...merged }))
      )
    }),

    /** All pages, as their tree. */
    pages: query([ContentOf, ContentOptions], function* (ref, options) {
      return yield* treeOf(yield* access.open(ref, "read"), options)
    }),

    /** A page, by its id. */
    page: query([ContentOf, PageId, PageOptions], function* (ref, id, options) {
      const located = yield* access.open(ref, "read")
      const page = yield* located.tree.page(id)
      if (page !== undefined) return yield* presentStoredPage(located, { id, page }, options)
      const computed = yield* computedPage(located, options, (one) => one.id === id)
      return computed ?? (yield* NotFound.of("page"))
    }),

    /** A page, by its path. */
    pageByPath: query([ContentOf, PagePath, PageOptions], function* (ref, path, options) {
      const located = yield* access.open(ref, "read")
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
                options,
                (one) => one.page.parent === parent && one.page.slug === slug
              )
            : undefined
          return computed ?? (yield* NotFound.of("page"))
        }
        found = { id, page }
      }
      return yield* presentStoredPage(located, found!, options)
    }),

    /** The files, the newest first. */
    files: query([ContentOf, ListFiles], function* (ref, options) {
      const located = yield* access.open(ref, "read")
      const urlOf = yield* urls.in(located.space.id)
      return yield* readListed(options, {
        list: ["files", ref],
        count: Effect.map(located.tree.files(), (files) => files.length),
        rows: (before, limit) => located.tree.files(before, limit),
        idOf: ([id]) => id,
        present: ([id, file]) => presentFile(urlOf, id, file, options)
      })
    }),

    /** A file, by its id. */
    file: query([ContentOf, FileId, ContentOptions], function* (ref, id, options) {
      const located = yield* access.open(ref, "read")
      const file = yield* located.tree.file(id)
      if (file === undefined) return yield* NotFound.of("file")
      return presentFile(yield* urls.in(located.space.id), id, file, options)
    }),

    /** A reusable content, by its id. */
    reusableContent: query([ContentOf, ReusableContentId, ContentOptions], function* (ref, id, options) {
      const located = yield* access.open(ref, "read")
      const record = yield* located.tree.reusableContent(id)
      if (record === undefined) return yield* NotFound.of("reusable content")
      return presentReusableContent(id, record, options)
    }),

    /**
     * What changed: of a change request since the revision of the space that it is compared with, of a revision since
     * the one before it.
     */
    changes: query([ContentOf, ChangesQuery], function* (ref, { limit = defaultChanges }) {
      const located = yield* access.open(ref, "read")
      const { space, changeRequest, revision } = located
      const from = changeRequest === undefined ? revision.parents[0] : baseOf(changeRequest)
      const before: BlobHash =
        from === undefined ? emptyRoot : (yield* access.revisionOf(space.id, from)).root
      const urlOf = yield* urls.in(space.id)
      const all = yield* changesBetween(content, before, revision.root, urlOf)
      return {
        ...(yield* mergedFrom(located)),
        changes: all.slice(0, limit),
        ...(all.length > limit ? { more: all.length - limit } : {})
      } satisfies SemanticChanges
    })
  }
})

/** See the module's comment. */
export class Content extends Context.Service<Content, Effect.Success<typeof makeContent>>()(
  "@lectern/core/Content"
) {
  static readonly layer: Layer.Layer<
    Content,
    never,
    Records | ContentAccess | ContentStore | ComputedPages | FileUrls | Ids | TransactionEvents | Outlines
  > = Layer.effect(Content, makeContent)
}
