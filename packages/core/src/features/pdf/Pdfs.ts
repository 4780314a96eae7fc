/**
 * Operations that export content as PDF. A PDF is rendered by a background job when its URL is requested, once for all
 * requests, and stored for some hours. A PDF that has expired is rendered again when its URL is opened: revisions are
 * immutable.
 */

import { type Operation, Operations, type Query } from "@lectern/access"
import { visibleTree } from "@lectern/content"
import type { StorageUnavailable } from "@lectern/kernel"
import { slugOf } from "@lectern/markdown/text"
import { type Conflict, type Gone, InvalidInput, NotFound } from "@lectern/model/errors"
import { PdfOf, PdfOptions, type PdfUrl } from "@lectern/model/pdf"
import { Context, Effect, Layer, Schema } from "effect"
import { ComputedPages } from "../content/ComputedPages.ts"
import { ContentAccess, type ContentError } from "../content/ContentAccess.ts"
import type { ContentStore } from "../content/ContentStore.ts"
import type { FileUrls } from "../content/FileUrls.ts"
import { editionOf, makePdfBooks } from "./PdfBooks.ts"
import { PdfRenderings, type RenderedPdf } from "./PdfRenderings.ts"
import { PdfAddress, PdfUrls } from "./PdfUrls.ts"

/** Operations that export content as PDF. */
export interface PdfsOperations {
  /**
   * Renders content as PDF, on behalf of the `CurrentUser`, and returns a signed URL that is valid for an hour. After
   * 20 s, and in a transaction, it returns the URL of a PDF that is still rendered, and that
   * {@link PdfsOperations.download} waits for. Fails
   * with `NotFound` if the content has no such page, with `InvalidInput` if `only` is set without `page`, and with
   * `Conflict` if the workspace has no PDF renderer or the content cannot be rendered.
   */
  readonly getUrl: Query<{ content: PdfOf; input?: PdfOptions }, PdfUrl, ContentError>
  /**
   * Returns the bytes of a PDF to any client that has its signed URL, without a user, or the progress of a PDF that is
   * not complete after 20 s. Returns undefined if the signature is invalid or the content no longer exists. Fails with
   * `Gone` if the URL has expired.
   */
  readonly download: Operation<
    { pdf: PdfAddress; signature: string },
    RenderedPdf | undefined,
    Conflict | Gone | StorageUnavailable,
    never
  >
}

const makePdfs = Effect.gen(function* () {
  const { query } = yield* Operations
  const access = yield* ContentAccess
  const computedPages = yield* ComputedPages
  const urls = yield* PdfUrls
  const renderings = yield* PdfRenderings
  const books = yield* makePdfBooks

  return {
    getUrl: query(
      "Pdfs.getUrl",
      { parameters: { content: PdfOf, input: PdfOptions }, authorize: access.allow("read"), audited: true },
      function* ({ input }, resolved) {
        const { page } = input
        if (input.only === true && page === undefined) {
          return yield* InvalidInput.at("only", "requires `page`, the id of the page to export")
        }
        const { space, changeRequest } = resolved
        // The URL of the PDF is valid without a user, so that it has the pages of visitors without claims.
        const tree = visibleTree(resolved.wholeTree, {})
        const computed = yield* computedPages.in({ ...resolved, tree })
        const isFound =
          page === undefined ||
          computed.pages.some(({ id }) => id === page) ||
          (yield* tree.page(page)) !== undefined
        if (!isFound) return yield* NotFound.of("page")
        const content = {
          space: space.id,
          revision: resolved.revision.id,
          changeRequest: changeRequest?.id ?? "",
          page: page ?? "",
          only: input.only === true,
          edition: editionOf(resolved, computed)
        }
        yield* renderings.retry(content)
        // The URL is valid while the PDF is rendered: it then reports the progress.
        yield* renderings.get(content)
        const name = `${slugOf(space.title, "content")}.pdf`
        return { url: yield* urls.sign({ ...content, name }) } satisfies PdfUrl
      }
    ),

    download: query(
      "Pdfs.download",
      { parameters: { pdf: PdfAddress, signature: Schema.String }, authorize: urls.allowSigned },
      function* ({ pdf }, { isSigned, grant }) {
        // Access was checked when the URL was signed, but the content may have been deleted since.
        if (!isSigned || (yield* books.find(grant, pdf)) === undefined) return undefined
        const { name: _, expires: __, ...content } = pdf
        return yield* renderings.get(content)
      }
    )
  }
})

/** Operations that export content as PDF: see {@link PdfsOperations}. */
export class Pdfs extends Context.Service<Pdfs, PdfsOperations>()("@lectern/core/Pdfs") {
  static readonly layer: Layer.Layer<
    Pdfs,
    never,
    Operations | ContentAccess | ContentStore | ComputedPages | FileUrls | PdfUrls | PdfRenderings
  > = Layer.effect(Pdfs, makePdfs)
}
