/** Operations on content: reads of the content of a space, a change request or a revision, and edits in batches. */

import { emptyRoot, makeRenderCache, sizeOfPages, sizeOfRevision } from "@lectern/content"
import { MarkdownEngine } from "@lectern/formats"
import {
  type BlobHash,
  cacheShare,
  Fetcher,
  Ids,
  makeLinkBase,
  paginateNewestFirst,
  Records,
  type StorageUnavailable,
  TransactionEvents
} from "@lectern/kernel"
import { baseOf, changeRequests, type Placed } from "@lectern/kernel/tables"
import type { Revision } from "@lectern/model/content"
import {
  ChangesQuery,
  ContentOf,
  ContentOptions,
  defaultChanges,
  EditableContent,
  EditContent,
  FileId,
  ListFiles,
  type Page,
  PageId,
  PageOptions,
  PagePath,
  ReusableContentId,
  type SemanticChanges
} from "@lectern/model/content"
import { NotFound } from "@lectern/model/errors"
import { Context, Effect, Layer, Schema, type Stream } from "effect"
import { requireScopeOfInstallation } from "../../../access/accessErrors.ts"
import { SystemGrant } from "../../../access/grants/SystemGrant.ts"
import { Locks } from "../../../access/operations/Locks.ts"
import { Operations } from "../../../access/operations/Operations.ts"
import { presentChangeRequest } from "../../../views/change-requests/ChangeRequestView.ts"
import { presentFile, presentReusableContent } from "../../../views/content/FileView.ts"
import { presentPage, presentPages } from "../../../views/content/PageView.ts"
import { removeReplaced } from "../automaticSaves.ts"
import { bodyInFormat, displayedBody } from "../bodyInFormat.ts"
import { ComputedPages, nothingComputed } from "../ComputedPages.ts"
import { ContentAccess, type ResolvedContent } from "../ContentAccess.ts"
import { ContentStore } from "../ContentStore.ts"
import { changesBetween } from "../changesBetween.ts"
import { collectGarbage } from "../collectGarbage.ts"
import { countSpaces } from "../countSpaces.ts"
import { makeWrite } from "../edit/edit.ts"
import { makeFetchFiles } from "../edit/fetchFiles.ts"
import { parseBodies } from "../edit/parseBodies.ts"
import { storeUpload, type UploadedBytes } from "../edit/StoredFile.ts"
import { Download, FileUrls } from "../FileUrls.ts"
import { Outlines } from "../Outlines.ts"
import { makePageByPath } from "../pageByPath.ts"
import { expireRevisions, RevisionRetention } from "../RevisionRetention.ts"
import { reencodeBlobs } from "../reencodeBlobs.ts"
import { makeStoredPages, presentationOf } from "../storedPages.ts"
import { makeVisibleParts, visibleMarkdown } from "../visibleContent.ts"
import type { ContentOperations } from "./ContentOperations.ts"

/** The maximum size of the cache of presented content, in bytes. */
const renderCacheBytes = 64 * 1024 * 1024

const makeContent = Effect.gen(function* () {
  const system = yield* SystemGrant.make(
    "Garbage-collects the blobs that no revision reaches, and stores old ones compressed."
  )
  const expiry = yield* SystemGrant.make(
    "Removes revisions whose retention has expired, and replaced automatic saves."
  )
  const counting = yield* SystemGrant.make("Counts the bytes of the content of spaces.")
  const retentionMs = yield* RevisionRetention
  const records = yield* Records
  const { query, command } = yield* Operations
  const access = yield* ContentAccess
  const store = yield* ContentStore
  const urls = yield* FileUrls
  const ids = yield* Ids
  const linkBase = yield* makeLinkBase
  const computedPages = yield* ComputedPages
  const events = yield* TransactionEvents
  const outlines = yield* Outlines
  const convert = yield* MarkdownEngine
  const rendered = makeRenderCache(records, yield* cacheShare(renderCacheBytes))
  const fetchFiles = makeFetchFiles(yield* Fetcher, store, ids)
  const write = makeWrite({ access, content: store, urls, ids, events, outlines, linkBase, convert })

  const visibleParts = makeVisibleParts(store)

  /** The computed pages of content, unless the caller excludes them. */
  const computedIn = (resolved: ResolvedContent, options: ContentOptions) =>
    options.computed === false ? Effect.succeed(nothingComputed) : computedPages.in(resolved)

  /** Presents all pages in their tree. */
  const presentTree = Effect.fnUntraced(function* (resolved: ResolvedContent, options: ContentOptions) {
    const presentation = presentationOf(resolved, options)
    const { version, placeholders, pages } = yield* computedIn(resolved, options)
    return yield* rendered.get(
      ["pages", resolved.revision.root, presentation, version, resolved.visitor?.contextId],
      Effect.map(resolved.tree.pages, (stored) => ({
        pages: presentPages(presentation, [...stored.filter(({ id }) => !placeholders.has(id)), ...pages])
      })),
      ({ pages }) => sizeOfPages(pages)
    )
  })

  /** Finds a computed page by its id or its place; undefined if it does not exist. */
  const computedPage = Effect.fnUntraced(function* (
    resolved: ResolvedContent,
    options: PageOptions,
    matches: (placed: Placed) => boolean
  ): Effect.fn.Return<Page | undefined, StorageUnavailable> {
    const found = (yield* computedIn(resolved, options)).pages.find(matches)
    if (found === undefined) return undefined
    const above = (yield* resolved.tree.above(found.page)).toReversed()
    const path = [...above.map(({ page }) => page.slug), found.page.slug].join("/")
    const page = presentPage(presentationOf(resolved, options), found, path, [])
    const body = yield* bodyInFormat(
      convert,
      visibleMarkdown(resolved, found.markdown, options),
      options.format
    )
    return { ...page, ...displayedBody(resolved, options, body) }
  })

  /** Presents the whole content as a revision. */
  const presentRevision = Effect.fnUntraced(function* (resolved: ResolvedContent, options: ContentOptions) {
    const { revision, appUrl, tree, visitor } = resolved
    const { pages } = yield* presentTree(resolved, options)
    const parts = yield* visibleParts(resolved)
    const reusableContents = (yield* tree.reusableContents).filter(
      ([id]) => parts === undefined || parts.reusableContents.has(id)
    )
    return {
      object: "revision",
      id: revision.id,
      type: revision.type,
      // Visitors cannot read earlier revisions, nor the git repository.
      parents: visitor === undefined ? revision.parents : [],
      pages,
      tags: [],
      files: yield* presentFiles(resolved, options),
      reusableContents: reusableContents.map(([id, record]) =>
        presentReusableContent(id, record, presentationOf(resolved, options))
      ),
      createdAt: revision.createdAt,
      ...(revision.git === null || !presentationOf(resolved, options).metadata ? {} : { git: revision.git }),
      urls: { app: appUrl }
    } satisfies Revision
  })

  const storedPages = makeStoredPages({ store, convert, rendered, presentTree })

  const pageByPath = makePageByPath(storedPages, computedPage)

  /** Returns at most `limit` files that the caller can see, newest first, starting after the file with the id `before`. */
  const filesOf = Effect.fnUntraced(function* (resolved: ResolvedContent, before?: string, limit?: number) {
    const parts = yield* visibleParts(resolved)
    if (parts === undefined) return yield* resolved.tree.files(before, limit)
    const visible = (yield* resolved.tree.files(before)).filter(([id]) => parts.files.has(id))
    return visible.slice(0, limit)
  })

  const presentFiles = Effect.fnUntraced(function* (resolved: ResolvedContent, options: ContentOptions) {
    const urlOf = yield* urls.in(resolved.space)
    return (yield* filesOf(resolved)).map(([id, file]) =>
      presentFile(urlOf, id, file, presentationOf(resolved, options))
    )
  })

  /** The change request whose merge created the revision. */
  const mergedFrom = Effect.fnUntraced(function* ({
    space,
    revision,
    visitor,
    grant: { records }
  }: ResolvedContent) {
    if (revision.mergedFrom === null || visitor !== undefined) return {}
    const row = (yield* records.get(changeRequests, { id: revision.mergedFrom }))!
    return { mergedFrom: yield* presentChangeRequest(records, yield* linkBase, space, row) }
  })

  return {
    edit: command(
      "Content.edit",
      {
        parameters: { content: EditableContent, input: EditContent },
        authorize: access.allow("edit"),
        locks: ({ content }) => Locks.space(content),
        prepare: ({ content, input }) => {
          const fetched = fetchFiles(input)
          const parsed = parseBodies(outlines, input)
          if (fetched === undefined && parsed === undefined) return undefined
          return Effect.map(
            Effect.andThen(parsed ?? Effect.void, fetched ?? Effect.succeed(input)),
            (batch) => ({
              content,
              input: batch
            })
          )
        }
      },
      function* ({ input }, resolved) {
        // A computed page shows a spec, which integrations read only with the scope for it.
        if (input.changes.some((change) => "computed" in change && change.computed !== undefined)) {
          yield* requireScopeOfInstallation("openapi:read")
        }
        return yield* write(resolved, input)
      }
    ),

    storeUpload: <E>(bytes: Stream.Stream<Uint8Array, E>, declaredType: string | undefined) =>
      Effect.flatMap(ids.next, (holder) => storeUpload(store, bytes, declaredType, { id: holder })),

    discardUpload: ({ holder, stored }: UploadedBytes) => store.files.discard(holder, stored.chunks),

    download: query(
      "Content.download",
      { parameters: { file: Download, signature: Schema.String }, authorize: urls.allowSigned },
      function* ({ file }, { isValid }) {
        return isValid ? yield* store.files.open(file.hash) : undefined
      }
    ),

    sweep: Effect.suspend(() => collectGarbage(system.records, store)),

    reencodeBlobs: Effect.suspend(() => reencodeBlobs(system.records, store)),

    countSpaces: Effect.suspend(() => countSpaces(records, counting.records, store)),

    removeReplaced: Effect.suspend(() => removeReplaced(records, expiry.records)),

    expireRevisions: Effect.suspend(() =>
      retentionMs === undefined ? Effect.succeed(0) : expireRevisions(records, expiry.records, retentionMs)
    ),

    getRevision: query(
      "Content.getRevision",
      { parameters: { content: ContentOf, input: ContentOptions }, authorize: access.allowPublished },
      function* ({ input }, resolved) {
        const merged = yield* mergedFrom(resolved)
        const { version } = yield* computedIn(resolved, input)
        return yield* rendered.get(
          [
            "revision",
            resolved.revision.id,
            presentationOf(resolved, input),
            merged,
            version,
            resolved.visitor?.contextId,
            yield* urls.viewer(resolved.space)
          ],
          Effect.map(presentRevision(resolved, input), (revision): Revision => ({ ...revision, ...merged })),
          sizeOfRevision
        )
      }
    ),

    listPages: query(
      "Content.listPages",
      { parameters: { content: ContentOf, input: ContentOptions }, authorize: access.allowPublished },
      function* ({ input }, resolved) {
        return yield* presentTree(resolved, input)
      }
    ),

    getPage: query(
      "Content.getPage",
      {
        parameters: { content: ContentOf, page: PageId, input: PageOptions },
        authorize: access.allowPublished
      },
      function* ({ page: id, input }, resolved) {
        const cached = storedPages.peek(resolved, id, input)
        if (cached !== undefined) return cached
        const page = yield* resolved.tree.page(id)
        if (page !== undefined) return yield* storedPages.present(resolved, { id, page }, input)
        const computed = yield* computedPage(resolved, input, (placed) => placed.id === id)
        return computed ?? (yield* NotFound.of("page"))
      }
    ),

    getPageByPath: query(
      "Content.getPageByPath",
      {
        parameters: { content: ContentOf, path: PagePath, input: PageOptions },
        authorize: access.allowPublished
      },
      function* ({ path, input }, resolved) {
        return yield* pageByPath(resolved, path, input)
      }
    ),

    listFiles: query(
      "Content.listFiles",
      { parameters: { content: ContentOf, input: ListFiles }, authorize: access.allowPublished },
      function* ({ content, input }, resolved) {
        const urlOf = yield* urls.in(resolved.space)
        return yield* paginateNewestFirst(input, {
          list: ["files", content],
          count: Effect.map(filesOf(resolved), (files) => files.length),
          rows: (before, limit) => filesOf(resolved, before, limit),
          idOf: ([id]) => id,
          present: ([id, file]) => presentFile(urlOf, id, file, presentationOf(resolved, input))
        })
      }
    ),

    getFile: query(
      "Content.getFile",
      {
        parameters: { content: ContentOf, file: FileId, input: ContentOptions },
        authorize: access.allowPublished
      },
      function* ({ file: id, input }, resolved) {
        const file = yield* resolved.tree.file(id)
        const parts = yield* visibleParts(resolved)
        if (file === undefined || parts?.files.has(id) === false) return yield* NotFound.of("file")
        return presentFile(yield* urls.in(resolved.space), id, file, presentationOf(resolved, input))
      }
    ),

    getReusableContent: query(
      "Content.getReusableContent",
      {
        parameters: { content: ContentOf, reusableContent: ReusableContentId, input: ContentOptions },
        authorize: access.allowPublished
      },
      function* ({ reusableContent: id, input }, resolved) {
        const record = yield* resolved.tree.reusableContent(id)
        const parts = yield* visibleParts(resolved)
        if (record === undefined || parts?.reusableContents.has(id) === false) {
          return yield* NotFound.of("reusable content")
        }
        return presentReusableContent(id, record, presentationOf(resolved, input))
      }
    ),

    listChanges: query(
      "Content.listChanges",
      { parameters: { content: ContentOf, input: ChangesQuery }, authorize: access.allow("read") },
      function* ({ input: { limit = defaultChanges } }, resolved) {
        const { space, changeRequest, revision } = resolved
        const from = changeRequest === undefined ? revision.parents[0] : baseOf(changeRequest)
        const before: BlobHash =
          from === undefined
            ? emptyRoot
            : yield* access.revisionOf(resolved.records, space.id, from).pipe(
                Effect.map(({ root }) => root),
                // Retention has removed it since the revision was cached.
                Effect.catchTag("NotFound", () => Effect.succeed(emptyRoot))
              )
        const urlOf = yield* urls.in(space)
        const changes = yield* changesBetween(store, before, revision.root, urlOf)
        return {
          ...(yield* mergedFrom(resolved)),
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
