/**
 * Conflicts in the places of pages: both sides moved a page, or their moves put pages below one another. A page is reverted to its
 * state before the changes, so that the update takes it from the space; then it gets its own changes again, and the chosen place.
 */
import {
  ApiError,
  type ChangeRequest,
  type Conflict,
  type ContentChange,
  type Page
} from "@lectern/client/fetch"
import { childrenOf, loadPage, type Place, parentsOf } from "../../data/content.ts"
import { joinChunks, mergeLines } from "../../diff/mergeLines.ts"
import { client } from "../../session.ts"

/** A page before the changes, in the space, and in the change request. Absent on a side without the page. */
export interface PageSides {
  readonly base: Page | undefined
  readonly theirs: Page | undefined
  readonly ours: Page | undefined
}

/** A place in a tree. */
interface Location {
  readonly parent: Page | undefined
  readonly index: number
  readonly depth: number
}

/** A page whose place conflicts. */
export interface PlacedPage {
  readonly id: string
  readonly title: string
  /** The places before the changes, in the space, and in the change request. */
  readonly base: Location | undefined
  readonly theirs: Location | undefined
  readonly ours: Location | undefined
  /** The changes of the change request that do not conflict. */
  readonly kept: ReadonlyArray<ContentChange>
}

/** The trees of pages before the changes, in the space, and in the change request. */
interface Trees {
  readonly base: ReadonlyArray<Page>
  readonly theirs: ReadonlyArray<Page>
  readonly ours: ReadonlyArray<Page>
}

/** Whether a conflict is in the places of pages, and can be resolved here. */
export const isPlaceConflict = ({ kind, page }: Conflict): boolean =>
  page !== undefined && (kind === "move" || kind === "cycle")

const absentIfMissing = (error: unknown): undefined => {
  if (error instanceof ApiError && error._tag === "NotFound") return undefined
  throw error
}

/** Returns the place of a change request. */
export const placeOfRequest = ({ space, number }: ChangeRequest): Place => ({
  spaceId: space,
  change: String(number)
})

const baseOf = ({ revisionMergedAncestor, revisionInitial }: ChangeRequest): string =>
  revisionMergedAncestor ?? revisionInitial

/** The sides that have deleted the item of conflicts. */
export interface DeletedSides {
  readonly theirs: boolean
  readonly ours: boolean
}

/** Returns the sides that have deleted the item of conflicts. */
export const deletedSides = (conflicts: ReadonlyArray<Conflict>): DeletedSides => ({
  theirs: conflicts.some(({ kind, primary }) => kind === "deletion" && primary === "deleted"),
  ours: conflicts.some(({ kind, change }) => kind === "deletion" && change === "deleted")
})

const neitherDeleted: DeletedSides = { theirs: false, ours: false }

/** Loads the sides of a page, with their text as Markdown. */
export const loadPageSides = async (
  request: ChangeRequest,
  pageId: string,
  deleted = neitherDeleted
): Promise<PageSides> => {
  const params = { spaceId: request.space, revisionId: baseOf(request), pageId }
  const [base, theirs, ours] = await Promise.all([
    client.revisions.getPageInRevisionById({ params, query: { format: "markdown" } }).catch(absentIfMissing),
    deleted.theirs
      ? undefined
      : loadPage({ spaceId: request.space }, pageId, "markdown").catch(absentIfMissing),
    deleted.ours ? undefined : loadPage(placeOfRequest(request), pageId, "markdown").catch(absentIfMissing)
  ])
  return { base, theirs, ours }
}

/** Returns the Markdown of a page; `undefined` if it is absent, or is not a document. */
export const markdownOf = (page: Page | undefined): string | undefined =>
  page?.type === "document" ? (page.markdown ?? "") : undefined

const loadTrees = async (request: ChangeRequest): Promise<Trees> => {
  const params = { spaceId: request.space }
  const [base, theirs, ours] = await Promise.all([
    client.revisions.listPagesInRevisionById({ params: { ...params, revisionId: baseOf(request) } }),
    client.content.listPages({ params }),
    client.changeRequestContent.listPagesInChangeRequest({
      params: { ...params, changeRequestId: String(request.number) }
    })
  ])
  return { base: base.pages, theirs: theirs.pages, ours: ours.pages }
}

const locate = (pages: ReadonlyArray<Page>, id: string): Location | undefined => {
  const parents = parentsOf(pages, id)
  const parent = parents.at(-1)
  const index = (parent === undefined ? pages : childrenOf(parent)).findIndex((page) => page.id === id)
  return index < 0 ? undefined : { parent, index, depth: parents.length }
}

/** The fields that a change request can change, with the values that remove them. */
const emptyFields = {
  title: "",
  slug: "",
  emoji: "",
  description: "",
  hidden: false,
  condition: null,
  noIndex: false,
  noRobotsIndex: false,
  layout: {},
  cover: null,
  metaLinks: null
} as const

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const mergeOwnText = ({ base, theirs, ours }: PageSides): string | undefined => {
  const [before = "", theirText, ourText] = [base, theirs, ours].map(markdownOf)
  if (theirText === undefined || ourText === undefined || ourText === before) return undefined
  const chunks = mergeLines(before.split("\n"), theirText.split("\n"), ourText.split("\n"))
  // The server has merged this text. Where the application does not, the words of both sides remain.
  return joinChunks(
    chunks,
    chunks.filter(({ kind }) => kind === "conflict").map(() => "both" as const)
  )
}

/** Returns the changes of the change request to a page without the conflicting fields. */
const ownChangesOf = (
  page: string,
  sides: PageSides,
  conflicts: ReadonlyArray<Conflict>
): ReadonlyArray<ContentChange> => {
  const [before, after] = [{ ...sides.base }, { ...sides.ours }] as ReadonlyArray<Record<string, unknown>>
  const conflicting = new Set(conflicts.map(({ field }) => field))
  const fields = Object.entries(emptyFields).filter(
    ([name]) => !conflicting.has(name) && !isSame(before![name], after![name])
  )
  const values = Object.fromEntries(fields.map(([name, empty]) => [name, after![name] ?? empty]))
  const text = conflicts.some(({ kind }) => kind === "body") ? undefined : mergeOwnText(sides)
  const document = text === undefined ? {} : { document: { markdown: text } }
  return fields.length === 0 && text === undefined
    ? []
    : [{ operation: "update_page", page, ...values, ...document } as ContentChange]
}

/** Loads the places of the pages of a conflict; `undefined` if none of the conflicts of a page is in its place. */
export const loadPlaces = async (
  request: ChangeRequest,
  conflicts: ReadonlyArray<Conflict>
): Promise<ReadonlyArray<PlacedPage> | undefined> => {
  const conflict = conflicts.find(isPlaceConflict)
  if (conflict?.page === undefined) return undefined
  const pages = conflict.pages ?? [conflict.page]
  const trees = await loadTrees(request)
  return Promise.all(
    pages.map(async ({ id, title }): Promise<PlacedPage> => {
      const kept = ownChangesOf(id, await loadPageSides(request, id), conflicts)
      const { base, theirs, ours } = trees
      return { id, title, kept, base: locate(base, id), theirs: locate(theirs, id), ours: locate(ours, id) }
    })
  )
}

const byDepth = (side: "base" | "ours") => (one: PlacedPage, other: PlacedPage) =>
  (one[side]?.depth ?? 0) - (other[side]?.depth ?? 0)

/** Moves several pages to the top level, so that each can be moved below another. */
const detachPages = (pages: ReadonlyArray<PlacedPage>): ReadonlyArray<ContentChange> =>
  pages.length < 2 ? [] : pages.map(({ id }) => ({ operation: "update_page", page: id, into: null }))

/** Returns the edits that revert the pages in the change request, so that an update takes them from the space. */
export const alignPlaces = (pages: ReadonlyArray<PlacedPage>): ReadonlyArray<ContentChange> => {
  // A page that the change request has added does not exist before the changes.
  const known = pages.filter(({ base }) => base !== undefined).toSorted(byDepth("base"))
  return [
    ...detachPages(known),
    ...known.map(({ id }): ContentChange => ({ operation: "revert_page", page: id }))
  ]
}

/** Returns the edits that give the pages their own changes again, and the places of the change request if they are chosen. */
export const placeEdits = (
  pages: ReadonlyArray<PlacedPage>,
  side: "theirs" | "ours" | undefined
): ReadonlyArray<ContentChange> => [
  ...pages.flatMap(({ base, kept }) => (base === undefined ? [] : kept)),
  ...(side === "ours" ? detachPages(pages) : []),
  ...(side === "ours" ? pages.toSorted(byDepth("ours")) : []).flatMap(
    ({ id, ours }): ReadonlyArray<ContentChange> =>
      ours === undefined
        ? []
        : [{ operation: "update_page", page: id, into: ours.parent?.id ?? null, at: ours.index }]
  )
]
