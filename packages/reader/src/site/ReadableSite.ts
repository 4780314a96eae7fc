/** A site as one reader sees it: a published site for a visitor, or a preview of a space for a member. */
import type {
  ContentOf,
  Customization,
  Identity,
  OrganizationId,
  SiteStructure,
  SpaceId
} from "@lectern/core"
import type { Html } from "../html/Html.ts"
import { encodePath, relativeUrl, type SafeUrl } from "../html/urls.ts"
import type { Caching } from "../http/messages.ts"
import type { DocumentPage, IndexedPage, PageIndex, TreePage } from "../source/PageIndex.ts"

/** A space on a site. */
export interface SpaceOnSite {
  readonly id: SpaceId
  readonly title: string
  /** The language tag of its content, if it is known. */
  readonly language?: string | undefined
  /** The encoded path of the space below the root of the site: empty, or with a final slash. */
  readonly root: string
  readonly content: ContentOf
}

/** A space with its pages. */
export interface LoadedSpace extends SpaceOnSite {
  readonly index: PageIndex
  /** Identifies everything that pages of the space display for this reader. */
  readonly version: string
}

/** A site as one reader sees it. */
export interface ReadableSite {
  readonly kind: "published" | "preview"
  /** The reader on whose behalf content is read. */
  readonly identity: Identity
  readonly organization: OrganizationId
  readonly title: string
  readonly customization: Customization
  /** The sections and site-spaces; `undefined` in a preview of a single space. */
  readonly structure: SiteStructure | undefined
  /** The spaces of the site that the reader can see, by id. */
  readonly spaces: ReadonlyMap<string, SpaceOnSite>
  /** The URL of the root of the site, with a final slash; `undefined` in previews, which have no public URL. */
  readonly publicUrl: string | undefined
  /** Whether search engines may list the site. */
  readonly isIndexed: boolean
  /** Whether responses may be stored by shared caches, because all visitors see the same. */
  readonly isPublic: boolean
  /** Whether visitors with a token see other content. A shared cache does not know who has one. */
  readonly isAdaptive: boolean
  /** A bar above all pages. */
  readonly bar?: ((path: string) => Html) | undefined
}

/** Returns how caches may store the responses of a site. */
export const cachingOf = ({ isPublic, isAdaptive }: ReadableSite): Caching =>
  isPublic ? (isAdaptive ? "public" : "shared") : "private"

/** Returns the encoded path of a page below the root of the site. The first page of a space has the path of the space. */
export const pathOfPage = (space: LoadedSpace, page: DocumentPage): string =>
  page.id === space.index.first?.id ? space.root : `${space.root}${encodePath(page.path)}`

/** Returns the first document of a page and the pages below it. */
export const firstDocument = (page: TreePage): DocumentPage | undefined => {
  if (page.type === "document") return page
  if (page.type !== "group") return undefined
  for (const child of page.pages) {
    if ("hidden" in child && child.hidden === true) continue
    const found = firstDocument(child)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the URL of a page from the page at `from`, with an anchor. */
export const pageUrl = (from: string, space: LoadedSpace, page: DocumentPage, anchor = ""): SafeUrl =>
  relativeUrl(from, `${pathOfPage(space, page)}${anchor === "" ? "" : `#${encodeURIComponent(anchor)}`}`)

/** Returns whether a page is the current one or is above it. */
export const isAbove = (page: TreePage, current: IndexedPage | undefined): boolean =>
  current !== undefined && (current.page.id === page.id || current.above.some(({ id }) => id === page.id))
