/** The paths of pages in the application: the only module that builds them. */
import { fillPath } from "./paths.ts"

/** A place with pages: a space, or a change request of it. */
interface PagesPlace {
  readonly spaceId: string
  /** The number of the change request. */
  readonly change?: string | undefined
}

/** A page, with its path if it has one. */
interface AddressedPage {
  readonly id: string
  readonly path?: string | undefined
}

const idSegment = "~page"

/** The first segments of addresses that are other screens of a space, or of a change request. */
export const reservedSegments: ReadonlySet<string> = new Set([
  "changes",
  "export",
  "files",
  "history",
  "import",
  "links",
  "live",
  "permissions",
  "reusable",
  "review",
  "settings",
  "sync",
  idSegment
])

/** Returns the rest of the path in the application: the path of the page, or its id if the path is that of another screen. */
const restOf = ({ id, path }: AddressedPage): string =>
  path === undefined || path === "" || reservedSegments.has(path.split("/")[0]!) ? `${idSegment}/${id}` : path

/** Returns the id of a page in the rest of an address, unless the rest is the path of the page. */
export const idInRest = (rest: string): string | undefined =>
  rest.startsWith(`${idSegment}/`) ? rest.slice(idSegment.length + 1) : undefined

/** Returns the address of a place, or of one of its pages. Without its path, the address contains the id of the page. */
export const pagePath = ({ spaceId, change }: PagesPlace, page?: AddressedPage): string => {
  const rest = page === undefined ? "" : restOf(page)
  return change === undefined
    ? fillPath("/spaces/:space/*page", { space: spaceId, page: rest })
    : fillPath("/spaces/:space/changes/:number/*page", { space: spaceId, number: change, page: rest })
}

/** Returns the address at which the published text of a page is edited. */
export const livePagePath = (spaceId: string, page: AddressedPage): string =>
  fillPath("/spaces/:space/live/*page", { space: spaceId, page: restOf(page) })
