/** The operation that imports a document into a page. */

import { type Command, Locks, Operations } from "@lectern/access"
import { GitPacks, ImportLimits, ImportReader, MarkdownEngine } from "@lectern/formats"
import { Fetcher, Ids, makeLinkBase, TransactionEvents } from "@lectern/kernel"
import { EditableContent, PageId } from "@lectern/model/content"
import { Conflict, NotFound, type UpstreamFailed, type UpstreamTimeout } from "@lectern/model/errors"
import { type ImportedContent, ImportPageContent } from "@lectern/model/imports"
import { Context, Effect, Layer, Semaphore } from "effect"
import { ContentAccess, type ContentError, type ResolvedContent } from "../../content/ContentAccess.ts"
import { ContentStore } from "../../content/ContentStore.ts"
import { makeWrite, requireEditable } from "../../content/edit/edit.ts"
import { FileUrls } from "../../content/FileUrls.ts"
import { Outlines } from "../../content/Outlines.ts"
import { fetchDocument } from "../document.ts"
import type { ImportContext } from "../ImportContext.ts"
import { preparePage } from "./prepareImport.ts"

/** The operation that imports a document into a page, on behalf of the `CurrentUser`. */
export interface PageImportsOperations {
  /**
   * Replaces the body of a page by the document at a URL, with its images, as one revision. The place, the title and the description
   * of the page remain. Requires the permission to edit the content. Fails with `NotFound` if the content has no document or
   * group with the id, with `InvalidInput` if the resource cannot be read as the given `source`, with `UpstreamFailed` or
   * `UpstreamTimeout` if it cannot be fetched, and with `Conflict` if the space is locked or the change request is closed. At most 8
   * documents are fetched at the same time; others wait.
   */
  readonly import: Command<
    { content: EditableContent; page: PageId; input: ImportPageContent },
    ImportedContent,
    ContentError | UpstreamFailed | UpstreamTimeout
  >
}

/** The maximum number of documents that are fetched and parsed at the same time. */
const maximumConcurrentFetches = 8

/** Returns the page of content that a document can be imported into. */
const requirePage = Effect.fnUntraced(function* ({ tree }: ResolvedContent, id: PageId) {
  const page = yield* tree.page(id)
  return page?.type === "document" || page?.type === "group" ? page : yield* NotFound.of("page")
})

const makePageImports = Effect.gen(function* () {
  const { stagedCommand } = yield* Operations
  const access = yield* ContentAccess
  const store = yield* ContentStore
  const urls = yield* FileUrls
  const ids = yield* Ids
  const linkBase = yield* makeLinkBase
  const fetch = yield* Fetcher
  const limits = yield* ImportLimits
  const read = yield* ImportReader
  const processPack = yield* GitPacks
  const convert = yield* MarkdownEngine
  const events = yield* TransactionEvents
  const outlines = yield* Outlines
  const write = makeWrite({ access, content: store, urls, ids, events, outlines, linkBase, convert })
  const services = { ids, store, outlines }
  const semaphore = yield* Semaphore.make(maximumConcurrentFetches)

  return {
    import: stagedCommand(
      "PageImports.import",
      {
        parameters: { content: EditableContent, page: PageId, input: ImportPageContent },
        authorize: access.allow("edit"),
        locks: ({ content }) => Locks.space(content)
      },
      function* ({ content, page: id, input }, resolved, commit) {
        // Checked here as well as in the transaction, so that an error is reported without a request to the source.
        yield* requireEditable(resolved)
        yield* requirePage(resolved, id)
        if (read === undefined) {
          return yield* new Conflict({
            reason: "ConverterMissing",
            message: "This server cannot import content: the package @lectern/converters is not installed."
          })
        }
        const context: ImportContext = {
          fetch,
          read,
          processPack,
          limits,
          mark: yield* ids.next,
          run: undefined
        }
        const fetched = yield* semaphore.withPermit(fetchDocument(context, input.source, input.url))
        const from = new URL(input.url).href
        return yield* commit(
          access.open(content, "edit"),
          Effect.fnUntraced(function* (current) {
            yield* requireEditable(current)
            const page = yield* requirePage(current, id)
            const plan = yield* preparePage(services, context, fetched, from, current.tree, {
              id,
              title: page.title
            })
            yield* plan.store
            const { revision } = yield* write(current, {
              changes: plan.changes,
              outlines: plan.outlines,
              message: `Imported from ${from}`.slice(0, 1000)
            })
            return {
              revision,
              importedResources: plan.imported,
              totalResources: plan.total,
              urls: { location: `${yield* linkBase}/v1/spaces/${current.space.id}/revisions/${revision}` }
            } satisfies ImportedContent
          })
        )
      }
    )
  }
})

/** The operation that imports a document into a page: see {@link PageImportsOperations}. */
export class PageImports extends Context.Service<PageImports, PageImportsOperations>()(
  "@lectern/core/PageImports"
) {
  static readonly layer: Layer.Layer<
    PageImports,
    never,
    Operations | ContentAccess | ContentStore | FileUrls | Ids | TransactionEvents | Outlines
  > = Layer.effect(PageImports, makePageImports)
}
