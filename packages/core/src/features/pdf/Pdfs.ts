/**
 * Content as a PDF. It is made when its address is asked for, once, however many ask at the same time, and kept in
 * memory within bounds. One that is no longer there is made again when its address is opened: a revision never
 * changes, so it can be, by any process that shares the store.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Deferred, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { Conflict, Gone, InvalidInput, NotFound } from "../../kernel/errors.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { query } from "../../kernel/operation/Operation.ts"
import { slugOf } from "../../kernel/schema/Slug.ts"
import { Records, type StorageUnavailable } from "../../kernel/storage/index.ts"
import { type ChangeRequestRow, changeRequests } from "../../model/change-requests/ChangeRequest.ts"
import type { PageId } from "../../model/content/Page.ts"
import type { RevisionRow } from "../../model/content/Revision.ts"
import { PdfOf, PdfOptions, type PdfUrl } from "../../model/pdf/Pdf.ts"
import { type SpaceRow, spaces } from "../../model/spaces/Space.ts"
import { changeRequestAppUrl } from "../../views/change-requests/ChangeRequestView.ts"
import { type Computed, ComputedPages } from "../content/ComputedPages.ts"
import { ContentAccess } from "../content/ContentAccess.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { FileUrls } from "../content/FileUrls.ts"
import { gather } from "./book.ts"
import { type PdfFailed, PdfMaker } from "./PdfMaker.ts"
import { type PdfAddress, PdfUrls } from "./PdfUrls.ts"

/** How many bytes of PDFs are kept in memory. */
const bytesKept = 128 * 1024 * 1024

/** How many bytes of pictures are kept in memory, for content that is printed again after an edit. */
const imageBytesKept = 16 * 1024 * 1024

/** The content that a PDF is of, to whoever may read it. */
interface Source {
  readonly space: SpaceRow
  readonly changeRequest: ChangeRequestRow | undefined
  readonly revision: RevisionRow
}

type Failure = Conflict | NotFound | StorageUnavailable

const aboutOf = ({ number, subject }: ChangeRequestRow): string =>
  `Change request #${number}${subject === "" ? "" : `: ${subject}`}`

/** Names the titles and the computed pages that a PDF shows: they change without a revision. */
const editionOf = ({ space, changeRequest }: Source, { seed }: Computed): string =>
  bytesToHex(
    sha256(utf8ToBytes(JSON.stringify([space.title, changeRequest && aboutOf(changeRequest), seed])))
  ).slice(0, 16)

const makePdfs = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* ContentAccess
  const content = yield* ContentStore
  const computedPages = yield* ComputedPages
  const fileUrls = yield* FileUrls
  const urls = yield* PdfUrls
  const base = yield* PublicUrl
  const scope = yield* Effect.scope

  const images = content.blobs.reader((bytes) => bytes, imageBytesKept)
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: bytesKept,
    sizeCalculation: ({ length }) => length + 1
  })
  const making = new Map<string, Deferred.Deferred<Uint8Array, Failure>>()

  /**
   * Makes a PDF, unless it is there or being made. The work goes on when the one who asked first goes away, for others
   * may have come to wait for it.
   */
  const once = (key: string, make: Effect.Effect<Uint8Array, Failure>): Effect.Effect<Uint8Array, Failure> =>
    Effect.suspend(() => {
      const known = kept.get(key)
      if (known !== undefined) return Effect.succeed(known)
      const others = making.get(key)
      if (others !== undefined) return Deferred.await(others)
      const made = Deferred.makeUnsafe<Uint8Array, Failure>()
      making.set(key, made)
      const work = make.pipe(
        Effect.tap((bytes) => Effect.sync(() => kept.set(key, bytes))),
        Effect.ensuring(Effect.sync(() => making.delete(key))),
        Deferred.into(made)
      )
      return Effect.uninterruptibleMask((restore) =>
        Effect.andThen(Effect.forkIn(Effect.interruptible(work), scope), restore(Deferred.await(made)))
      )
    })

  const keyOf = ({ space, revision, changeRequest, page, only, edition }: Omit<PdfAddress, "expires">) =>
    JSON.stringify([space, revision, changeRequest, page, only, edition])

  /** Makes a PDF of content. */
  const print = Effect.fnUntraced(function* (
    { space, changeRequest, revision }: Source,
    options: PdfOptions
  ): Effect.fn.Return<Uint8Array, Failure> {
    const maker = yield* PdfMaker
    if (maker === undefined) {
      return yield* new Conflict({
        reason: "ConverterMissing",
        message: "This server cannot export PDFs: the package @lectern/converters is not installed."
      })
    }
    const tree = access.treeAt(revision.root)
    const spaceApp = (id: string) => `${base}/s/${id}/`
    const shelf = {
      content,
      images,
      tree,
      computed: yield* computedPages.in({ space, revision, tree }),
      urlOf: yield* fileUrls.in(space.id),
      spaceApp,
      app: changeRequest === undefined ? spaceApp(space.id) : changeRequestAppUrl(base, changeRequest)
    }
    const cover = {
      title: space.title,
      date: revision.createdAt,
      ...(changeRequest === undefined ? {} : { about: aboutOf(changeRequest) })
    }
    const unmade = ({ message }: PdfFailed) =>
      Effect.fail(new Conflict({ reason: "PdfNotRendered", message }))
    const book = yield* Effect.catchTag(gather(shelf, cover, options), "PdfFailed", unmade)
    if (book === undefined) return yield* NotFound.of("page")
    return yield* Effect.catchTag(maker(book), "PdfFailed", unmade)
  })

  /** What an address names, as long as it is there; whether that may be seen was said when the address was made. */
  const sourceOf = Effect.fnUntraced(function* (
    address: PdfAddress
  ): Effect.fn.Return<Source | undefined, StorageUnavailable> {
    const space = yield* records.get(spaces, { id: address.space as SpaceRow["id"] })
    if (space === undefined || space.deletedAt !== null) return undefined
    const changeRequest =
      address.changeRequest === ""
        ? undefined
        : yield* records.get(changeRequests, { id: address.changeRequest as ChangeRequestRow["id"] })
    if (address.changeRequest !== "" && changeRequest === undefined) return undefined
    const revision = yield* access
      .revisionOf(space.id, address.revision as RevisionRow["id"])
      .pipe(Effect.catchTag("NotFound", () => Effect.succeed(undefined)))
    return revision === undefined ? undefined : { space, changeRequest, revision }
  })

  return {
    /** Makes a PDF of content that the caller may read, and answers the address that it is had from for an hour. */
    url: query([PdfOf, PdfOptions], function* (ref, options) {
      if (options.only === true && options.page === undefined) {
        return yield* InvalidInput.at("only", "needs the page that is meant")
      }
      const located = yield* access.open(ref, "read")
      const { space, changeRequest } = located
      const pdf = {
        space: space.id,
        revision: located.revision.id,
        changeRequest: changeRequest?.id ?? "",
        page: options.page ?? "",
        only: options.only === true,
        edition: editionOf(located, yield* computedPages.in(located)),
        name: `${slugOf(space.title, "content")}.pdf`
      }
      yield* once(keyOf(pdf), print(located, options))
      return { url: yield* urls.of(pdf) } satisfies PdfUrl
    }),

    /**
     * The bytes of a PDF, for whoever has its address: no caller is needed. `undefined` where the address was not made
     * here, or what it names is gone.
     */
    download: Effect.fnUntraced(function* (
      address: PdfAddress,
      signature: string
    ): Effect.fn.Return<Uint8Array | undefined, Failure | Gone> {
      const state = yield* urls.check(address, signature)
      if (state === "forged") return undefined
      if (state === "expired") {
        return yield* new Gone({
          reason: "AddressExpired",
          message: "The address of this PDF was good for an hour; ask for another."
        })
      }
      const source = yield* sourceOf(address)
      if (source === undefined) return undefined
      const { page, only } = address
      return yield* once(
        keyOf(address),
        print(source, { ...(page === "" ? {} : { page: page as PageId }), only })
      )
    })
  }
})

/** See the module's comment. */
export class Pdfs extends Context.Service<Pdfs, Effect.Success<typeof makePdfs>>()("@lectern/core/Pdfs") {
  static readonly layer: Layer.Layer<
    Pdfs,
    never,
    Records | ContentAccess | ContentStore | ComputedPages | FileUrls | PdfUrls
  > = Layer.effect(Pdfs, makePdfs)
}
