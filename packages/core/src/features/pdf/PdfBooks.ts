/** Finds the content that a PDF shows, and collects the book that is rendered. */

import type { Grant, Granted } from "@lectern/access"
import { visibleTree } from "@lectern/content"
import type { Book, PdfFailed } from "@lectern/formats"
import { cacheShare, PublicUrl, RequestBaseUrl, type StorageUnavailable } from "@lectern/kernel"
import { sha256Hex } from "@lectern/kernel/sha256"
import {
  type ChangeRequestRow,
  changeRequests,
  type RevisionRow,
  type SpaceRow,
  spaces
} from "@lectern/kernel/tables"
import type { PageId } from "@lectern/model/content"
import { Effect } from "effect"
import { changeRequestAppUrl } from "../../views/change-requests/ChangeRequestView.ts"
import { type Computed, ComputedPages } from "../content/ComputedPages.ts"
import { ContentAccess } from "../content/ContentAccess.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { FileUrls } from "../content/FileUrls.ts"
import { collectBook } from "./collectBook.ts"
import type { PdfAddress } from "./PdfUrls.ts"

/** Identifies a PDF: equal contents have equal bytes. */
export type PdfContent = Omit<PdfAddress, "name" | "expires">

/** The content that a PDF shows. */
export interface PdfSource extends Granted {
  readonly space: SpaceRow
  readonly changeRequest: ChangeRequestRow | undefined
  readonly revision: RevisionRow
}

/** The maximum size of the cache of images, in bytes. It serves content that is rendered again after an edit. */
const maximumCachedImageBytes = 16 * 1024 * 1024

const aboutOf = ({ number, subject }: ChangeRequestRow): string =>
  `Change request #${number}${subject === "" ? "" : `: ${subject}`}`

/** Returns a hash of the titles and computed pages that a PDF shows, which change without a new revision. */
export const editionOf = (
  { space, changeRequest }: Pick<PdfSource, "space" | "changeRequest">,
  { version }: Computed
): string =>
  sha256Hex(JSON.stringify([space.title, changeRequest && aboutOf(changeRequest), version])).slice(0, 16)

/** Creates the functions that find the content of PDFs and collect their books. */
export const makePdfBooks = Effect.gen(function* () {
  const access = yield* ContentAccess
  const store = yield* ContentStore
  const computedPages = yield* ComputedPages
  const fileUrls = yield* FileUrls
  const base = yield* PublicUrl
  const images = store.blobs.reader(
    "images of PDFs",
    (bytes) => bytes,
    yield* cacheShare(maximumCachedImageBytes)
  )

  const collect = Effect.fnUntraced(function* (
    { space, changeRequest, revision, grant }: PdfSource,
    { page, only }: PdfContent
  ): Effect.fn.Return<Book | undefined, PdfFailed | StorageUnavailable> {
    // The URL of a PDF is valid without a user, so that it has the pages of visitors without claims.
    const wholeTree = access.treeAt(revision.root)
    const tree = visibleTree(wholeTree, {})
    const spaceApp = (id: string) => `${base}/s/${id}/`
    const sources = {
      content: store,
      images,
      tree,
      computed: yield* computedPages.in({ space, revision, tree, wholeTree, grant }),
      urlOf: yield* fileUrls.shared(space),
      spaceApp,
      app: changeRequest === undefined ? spaceApp(space.id) : changeRequestAppUrl(base, changeRequest)
    }
    const cover = {
      title: space.title,
      date: revision.createdAt,
      ...(changeRequest === undefined ? {} : { about: aboutOf(changeRequest) })
    }
    return yield* collectBook(sources, cover, { ...(page === "" ? {} : { page: page as PageId }), only })
  })

  return {
    /** Returns the content of a PDF; undefined if it no longer exists. The caller has checked access. */
    find: Effect.fnUntraced(function* (
      grant: Grant,
      content: PdfContent
    ): Effect.fn.Return<PdfSource | undefined, StorageUnavailable> {
      const { records } = grant
      const space = yield* records.get(spaces, { id: content.space as SpaceRow["id"] })
      if (space === undefined || space.deletedAt !== null) return undefined
      const changeRequest =
        content.changeRequest === ""
          ? undefined
          : yield* records.get(changeRequests, { id: content.changeRequest as ChangeRequestRow["id"] })
      if (content.changeRequest !== "" && changeRequest === undefined) return undefined
      const revision = yield* access
        .revisionOf(records, space.id, content.revision as RevisionRow["id"])
        .pipe(Effect.catchTag("NotFound", () => Effect.succeed(undefined)))
      return revision === undefined ? undefined : { space, changeRequest, revision, grant }
    }),

    /**
     * Returns the book of content; undefined if the page does not exist. Its links have the public URL, because a PDF is
     * stored for all hosts.
     */
    collect: (source: PdfSource, content: PdfContent): ReturnType<typeof collect> =>
      Effect.provideService(collect(source, content), RequestBaseUrl, undefined)
  }
})
