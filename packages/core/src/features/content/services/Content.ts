/** Operations on content: reads of the content of a space, a change request or a revision, and edits in batches. */

import { Locks, Operations, requireScopeOfInstallation, SystemGrant } from "@lectern/access"
import { MarkdownEngine } from "@lectern/formats"
import {
  Fetcher,
  Ids,
  makeLinkBase,
  paginateNewestFirst,
  Records,
  type StorageUnavailable,
  TransactionEvents
} from "@lectern/kernel"
import type { Placed } from "@lectern/kernel/tables"
import {
  ContentOf,
  ContentOptions,
  EditableContent,
  EditContent,
  FileId,
  ListFiles,
  ListPages,
  type Page,
  PageId,
  PageOptions,
  PagePath,
  ReusableContentId
} from "@lectern/model/content"
import { NotFound } from "@lectern/model/errors"
import { Context, Effect, Layer, Schema, type Stream } from "effect"
import { presentFile, presentReusableContent } from "../../../views/content/FileView.ts"
import { presentPage } from "../../../views/content/PageView.ts"
import { removeReplaced } from "../automaticSaves.ts"
import { bodyInFormat, displayedBody } from "../bodyInFormat.ts"
import type { ComputedPages } from "../ComputedPages.ts"
import { ContentAccess, type ResolvedContent } from "../ContentAccess.ts"
import { ContentStore } from "../ContentStore.ts"
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
import { makeFileLists, makePresentation, type Presentation } from "./contentPresentation.ts"
import { makeRevisions } from "./contentRevisions.ts"

const makeEdits = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const access = yield* ContentAccess
  const store = yield* ContentStore
  const urls = yield* FileUrls
  const ids = yield* Ids
  const linkBase = yield* makeLinkBase
  const events = yield* TransactionEvents
  const outlines = yield* Outlines
  const convert = yield* MarkdownEngine
  const fetchFiles = makeFetchFiles(yield* Fetcher, store, ids)
  const write = makeWrite({ access, content: store, urls, ids, events, outlines, linkBase, convert })

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
      function* ({ file }, { readers }) {
        if (readers === "nobody") return undefined
        const stored = yield* store.files.open(file.hash)
        return stored && { ...stored, isPublic: readers === "everyone" }
      }
    )
  }
})

const makeMaintenance = Effect.gen(function* () {
  const system = yield* SystemGrant.make(
    "Garbage-collects the blobs that no revision reaches, and stores old ones compressed."
  )

  const expiry = yield* SystemGrant.make(
    "Removes revisions whose retention has expired, and replaced automatic saves."
  )

  const counting = yield* SystemGrant.make("Counts the bytes of the content of spaces.")

  const retentionMs = yield* RevisionRetention

  const records = yield* Records

  const store = yield* ContentStore

  return {
    sweep: Effect.suspend(() => collectGarbage(system.records, store)),

    reencodeBlobs: Effect.suspend(() => reencodeBlobs(system.records, store)),

    countSpaces: Effect.suspend(() => countSpaces(records, counting.records, store)),

    removeReplaced: Effect.suspend(() => removeReplaced(records, expiry.records)),

    expireRevisions: Effect.suspend(() =>
      retentionMs === undefined ? Effect.succeed(0) : expireRevisions(records, expiry.records, retentionMs)
    )
  }
})

const makePages = Effect.fnUntraced(function* ({
  presentTree,
  presentLevels,
  rendered,
  computedIn
}: Presentation) {
  const { query } = yield* Operations
  const access = yield* ContentAccess
  const store = yield* ContentStore
  const convert = yield* MarkdownEngine

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

  const storedPages = makeStoredPages({ store, convert, rendered, presentTree })

  const pageByPath = makePageByPath(storedPages, computedPage)

  return {
    listPages: query(
      "Content.listPages",
      { parameters: { content: ContentOf, input: ListPages }, authorize: access.allowPublished },
      function* ({ input }, resolved) {
        return yield* input.parent === undefined && input.depth === undefined
          ? presentTree(resolved, input)
          : presentLevels(resolved, input)
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
    )
  }
})

const makeParts = Effect.gen(function* () {
  const { query } = yield* Operations
  const access = yield* ContentAccess
  const store = yield* ContentStore
  const urls = yield* FileUrls
  const visibleParts = makeVisibleParts(store)
  const { filesOf } = yield* makeFileLists

  return {
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
    )
  }
})

const makeContent = Effect.gen(function* () {
  const presentation = yield* makePresentation
  return {
    ...(yield* makeEdits),
    ...(yield* makeMaintenance),
    ...(yield* makePages(presentation)),
    ...(yield* makeParts),
    ...(yield* makeRevisions(presentation))
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
