/**
 * Operations that export content as PDF. A PDF is rendered when its URL is requested, once for all concurrent requests,
 * and cached in memory. A PDF that has been evicted, or whose process has ended, is rendered again when its URL is
 * opened: revisions are immutable, so any process on the same store can do that.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Layer, Schema } from "effect"
import type { Grant, Granted } from "../../access/grants/Grant.ts"
import type { Operation, Query } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import { Conflict, type Gone, InvalidInput, NotFound } from "../../kernel/errors.ts"
import { PublicUrl, RequestBaseUrl } from "../../kernel/network/PublicUrl.ts"
import { slugOf } from "../../kernel/schema/Slug.ts"
import type { StorageUnavailable } from "../../kernel/storage/index.ts"
import { type ChangeRequestRow, changeRequests } from "../../model/change-requests/ChangeRequest.ts"
import type { PageId } from "../../model/content/Page.ts"
import type { RevisionRow } from "../../model/content/Revision.ts"
import { PdfOf, PdfOptions, type PdfUrl } from "../../model/pdf/Pdf.ts"
import { type SpaceRow, spaces } from "../../model/spaces/Space.ts"
import { changeRequestAppUrl } from "../../views/change-requests/ChangeRequestView.ts"
import { type Computed, ComputedPages } from "../content/ComputedPages.ts"
import { ContentAccess, type ContentError } from "../content/ContentAccess.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { FileUrls } from "../content/FileUrls.ts"
import { collectBook } from "./collectBook.ts"
import { type PdfFailed, PdfMaker, type PdfProgress } from "./PdfMaker.ts"
import { PdfAddress, PdfUrls } from "./PdfUrls.ts"
import { type RenderedPdf, Renderings } from "./Renderings.ts"

/** Operations that export content as PDF. */
export interface PdfsOperations {
  /**
   * Renders content as PDF, on behalf of the `CurrentUser`, and returns a signed URL that is valid for an hour. After
   * 20 s, it returns the URL of a PDF that is still rendered, and that {@link PdfsOperations.download} waits for. Fails
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
    NotFound | Conflict | Gone | StorageUnavailable,
    never
  >
}

/** The maximum size of the cache of images, in bytes. It serves content that is rendered again after an edit. */
const maximumCachedImageBytes = 16 * 1024 * 1024

/** The content that a PDF shows. */
interface Source extends Granted {
  readonly space: SpaceRow
  readonly changeRequest: ChangeRequestRow | undefined
  readonly revision: RevisionRow
}

type Failure = Conflict | NotFound | StorageUnavailable

const aboutOf = ({ number, subject }: ChangeRequestRow): string =>
  `Change request #${number}${subject === "" ? "" : `: ${subject}`}`

/** A hash of the titles and computed pages that a PDF shows, which change without a new revision. */
const editionOf = ({ space, changeRequest }: Source, { version }: Computed): string =>
  bytesToHex(
    sha256(utf8ToBytes(JSON.stringify([space.title, changeRequest && aboutOf(changeRequest), version])))
  ).slice(0, 16)

const makePdfs = Effect.gen(function* () {
  const { query } = yield* Operations
  const access = yield* ContentAccess
  const store = yield* ContentStore
  const computedPages = yield* ComputedPages
  const fileUrls = yield* FileUrls
  const urls = yield* PdfUrls
  const base = yield* PublicUrl

  const images = store.blobs.reader((bytes) => bytes, maximumCachedImageBytes)
  const renderings = new Renderings<Failure>(yield* Effect.scope)

  const keyOf = ({ space, revision, changeRequest, page, only, edition }: Omit<PdfAddress, "expires">) =>
    JSON.stringify([space, revision, changeRequest, page, only, edition])

  /** Renders content as PDF. The PDF is cached for all hosts, so its links have the public URL. */
  const renderPdf = (...parameters: Parameters<typeof renderBook>) =>
    Effect.provideService(renderBook(...parameters), RequestBaseUrl, undefined)

  const renderBook = Effect.fnUntraced(function* (
    { space, changeRequest, revision, grant }: Source,
    options: PdfOptions,
    onProgress: (progress: PdfProgress) => void
  ): Effect.fn.Return<Uint8Array, Failure> {
    const makePdf = yield* PdfMaker
    if (makePdf === undefined) {
      return yield* new Conflict({
        reason: "ConverterMissing",
        message: "This server cannot export PDFs: the package @lectern/converters is not installed."
      })
    }
    const tree = access.treeAt(revision.root)
    const spaceApp = (id: string) => `${base}/s/${id}/`
    const sources = {
      content: store,
      images,
      tree,
      computed: yield* computedPages.in({ space, revision, tree, grant }),
      urlOf: yield* fileUrls.in(space.id),
      spaceApp,
      app: changeRequest === undefined ? spaceApp(space.id) : changeRequestAppUrl(base, changeRequest)
    }
    const cover = {
      title: space.title,
      date: revision.createdAt,
      ...(changeRequest === undefined ? {} : { about: aboutOf(changeRequest) })
    }
    const notRendered = ({ message }: PdfFailed) =>
      Effect.fail(new Conflict({ reason: "PdfNotRendered", message }))
    const book = yield* Effect.catchTag(collectBook(sources, cover, options), "PdfFailed", notRendered)
    if (book === undefined) return yield* NotFound.of("page")
    return yield* Effect.catchTag(makePdf(book, onProgress), "PdfFailed", notRendered)
  })

  /** The content that a signed URL names; undefined if it no longer exists. Access was checked when it was signed. */
  const sourceOf = Effect.fnUntraced(function* (
    grant: Grant,
    address: PdfAddress
  ): Effect.fn.Return<Source | undefined, StorageUnavailable> {
    const { records } = grant
    const space = yield* records.get(spaces, { id: address.space as SpaceRow["id"] })
    if (space === undefined || space.deletedAt !== null) return undefined
    const changeRequest =
      address.changeRequest === ""
        ? undefined
        : yield* records.get(changeRequests, { id: address.changeRequest as ChangeRequestRow["id"] })
    if (address.changeRequest !== "" && changeRequest === undefined) return undefined
    const revision = yield* access
      .revisionOf(records, space.id, address.revision as RevisionRow["id"])
      .pipe(Effect.catchTag("NotFound", () => Effect.succeed(undefined)))
    return revision === undefined ? undefined : { space, changeRequest, revision, grant }
  })

  return {
    getUrl: query(
      "Pdfs.getUrl",
      { parameters: { content: PdfOf, input: PdfOptions }, authorize: access.allow("read") },
      function* ({ input }, resolved) {
        if (input.only === true && input.page === undefined) {
          return yield* InvalidInput.at("only", "requires `page`, the id of the page to export")
        }
        const { space, changeRequest } = resolved
        const pdf = {
          space: space.id,
          revision: resolved.revision.id,
          changeRequest: changeRequest?.id ?? "",
          page: input.page ?? "",
          only: input.only === true,
          edition: editionOf(resolved, yield* computedPages.in(resolved)),
          name: `${slugOf(space.title, "content")}.pdf`
        }
        // The URL is valid while the PDF is rendered: it then reports the progress.
        yield* renderings.get(keyOf(pdf), (onProgress) => renderPdf(resolved, input, onProgress))
        return { url: yield* urls.sign(pdf) } satisfies PdfUrl
      }
    ),

    download: query(
      "Pdfs.download",
      { parameters: { pdf: PdfAddress, signature: Schema.String }, authorize: urls.allowSigned },
      function* ({ pdf }, { isSigned, grant }) {
        if (!isSigned) return undefined
        const source = yield* sourceOf(grant, pdf)
        if (source === undefined) return undefined
        const { page, only } = pdf
        const options = { ...(page === "" ? {} : { page: page as PageId }), only }
        return yield* renderings.get(keyOf(pdf), (onProgress) => renderPdf(source, options, onProgress))
      }
    )
  }
})

/** Operations that export content as PDF: see {@link PdfsOperations}. */
export class Pdfs extends Context.Service<Pdfs, PdfsOperations>()("@lectern/core/Pdfs") {
  static readonly layer: Layer.Layer<
    Pdfs,
    never,
    Operations | ContentAccess | ContentStore | ComputedPages | FileUrls | PdfUrls
  > = Layer.effect(Pdfs, makePdfs)
}
