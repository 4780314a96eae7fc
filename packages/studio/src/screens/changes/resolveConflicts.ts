/**
 * Resolves conflicts by edits of the change request, which is how the API resolves them: the change request takes the content of
 * the space, is updated, and then gets the content that was chosen.
 */
import {
  ApiError,
  type ChangeRequest,
  type Conflict,
  type ContentChange,
  type JSONDocumentEncoded
} from "@lectern/client/fetch"
import { editContent, type Place } from "../../data/content.ts"
import { loadReusable, loadReusableDocument } from "../../data/reusable.ts"
import { type Choice, joinChunks, type MergeChunk, mergeWithConflict } from "../../diff/mergeLines.ts"
import { client } from "../../session.ts"
import { removeDraft, writeDraft } from "./drafts.ts"
import {
  alignPlaces,
  isPlaceConflict,
  loadPageSides,
  loadPlaces,
  markdownOf,
  type PlacedPage,
  placeEdits,
  placeOfRequest
} from "./placeConflicts.ts"

/** The conflict of a page, with the Markdown of its sides if it conflicts. */
export interface PageConflict {
  readonly pageId: string
  readonly title: string
  readonly conflicts: ReadonlyArray<Conflict>
  /** The merged text, if the text conflicts. */
  readonly chunks: ReadonlyArray<MergeChunk>
  /** The text of the space. Absent if the space deleted the page. */
  readonly theirs: string | undefined
  /** The text of the change request. Absent if it deleted the page. */
  readonly ours: string | undefined
  /** The places of the pages, if they conflict. */
  readonly places?: ReadonlyArray<PlacedPage>
  /** The sides of a reusable content, whose id is that of the conflict. Absent for pages. */
  readonly reusable?: { readonly theirs: ReusableSide | undefined; readonly ours: ReusableSide | undefined }
}

/** A reusable content of a side. */
export interface ReusableSide {
  readonly title: string
  readonly document: JSONDocumentEncoded
}

/** The decisions on a page. */
export interface Decision {
  /** The side for each field by its name, for a deletion under `deletion`, for a place under `place`. */
  readonly sides: Readonly<Record<string, "theirs" | "ours">>
  /** The choice for each conflict of the text, in their order. */
  readonly choices: ReadonlyArray<Choice>
}

/** Whether the application can resolve a conflict. The others are resolved by editing the page. */
export const isResolvable = (conflict: Conflict): boolean => {
  const { kind, page, file, reusableContent, primary, change } = conflict
  if (reusableContent !== undefined) return true
  // The API deletes files, and does not change or restore them.
  if (file !== undefined) return kind === "deletion" && primary === "deleted"
  if (page === undefined) return false
  if (isPlaceConflict(conflict)) return true
  if (kind === "body" || kind === "deletion") return true
  return kind === "field" && [primary, change].every((value) => ["string", "boolean"].includes(typeof value))
}

const absentIfMissing = (error: unknown): undefined => {
  if (error instanceof ApiError && error._tag === "NotFound") return undefined
  throw error
}

const loadReusableSide = async (place: Place, id: string): Promise<ReusableSide | undefined> => {
  try {
    const { title } = await loadReusable(place, id)
    return { title, document: await loadReusableDocument(place, id) }
  } catch (error) {
    return absentIfMissing(error)
  }
}

/** Loads the sides of the conflicts in reusable contents. */
const loadReusableConflicts = (
  request: ChangeRequest,
  conflicts: ReadonlyArray<Conflict>
): Promise<ReadonlyArray<PageConflict>> => {
  const byContent = Map.groupBy(
    conflicts.filter(({ reusableContent }) => reusableContent !== undefined),
    ({ reusableContent }) => reusableContent!.id
  )
  return Promise.all(
    Array.from(byContent, async ([id, list]): Promise<PageConflict> => {
      const [theirs, ours] = await Promise.all([
        loadReusableSide({ spaceId: request.space }, id),
        loadReusableSide(placeOfRequest(request), id)
      ])
      const { title } = list[0]!.reusableContent!
      const sides = { theirs: undefined, ours: undefined, reusable: { theirs, ours } }
      return { pageId: id, title, conflicts: list, chunks: [], ...sides }
    })
  )
}

/** Returns the conflicts in files. */
const fileConflicts = (conflicts: ReadonlyArray<Conflict>): ReadonlyArray<PageConflict> => {
  const byFile = Map.groupBy(
    conflicts.filter(({ file }) => file !== undefined),
    ({ file }) => file!.id
  )
  return Array.from(byFile, ([pageId, list]) => ({
    pageId,
    title: list[0]!.file!.title,
    conflicts: list,
    chunks: [],
    theirs: undefined,
    ours: undefined
  }))
}

/** Loads the sides of the conflicts: page by page, by reusable content, and by file. */
export const loadConflicts = async (
  request: ChangeRequest,
  conflicts: ReadonlyArray<Conflict>
): Promise<ReadonlyArray<PageConflict>> => {
  const [pages, contents] = await Promise.all([
    loadPageConflicts(request, conflicts),
    loadReusableConflicts(request, conflicts)
  ])
  return [...pages, ...contents, ...fileConflicts(conflicts)]
}

const loadPageConflicts = async (
  request: ChangeRequest,
  conflicts: ReadonlyArray<Conflict>
): Promise<ReadonlyArray<PageConflict>> => {
  const byPage = Map.groupBy(
    conflicts.filter(({ page }) => page !== undefined),
    ({ page }) => page!.id
  )
  return Promise.all(
    Array.from(byPage, async ([pageId, list]): Promise<PageConflict> => {
      const [{ base, theirs, ours }, places] = await Promise.all([
        loadPageSides(request, pageId),
        loadPlaces(request, list)
      ])
      const [baseText = "", theirText, ourText] = [base, theirs, ours].map(markdownOf)
      const hasText =
        list.some(({ kind }) => kind === "body") && theirText !== undefined && ourText !== undefined
      const linesOf = (text: string) => text.split("\n")
      return {
        pageId,
        title: list[0]!.page!.title,
        conflicts: list,
        chunks: hasText ? mergeWithConflict(linesOf(baseText), linesOf(theirText), linesOf(ourText)) : [],
        theirs: theirText,
        ours: ourText,
        ...(places === undefined ? {} : { places })
      }
    })
  )
}

/** Returns the change of a field. The API returns its value, of the type that it takes. */
const fieldChange = (page: string, field: string, value: unknown): ContentChange =>
  ({ operation: "update_page", page, [field]: value }) as ContentChange

/** Returns the edit that replaces a reusable content of the change request by a side. */
const reusableEdits = (
  id: string,
  side: ReusableSide | undefined,
  current: ReusableSide | undefined
): ReadonlyArray<ContentChange> => {
  if (side === undefined) {
    return current === undefined ? [] : [{ operation: "delete_reusable_content", reusableContent: id }]
  }
  const { title, document } = side
  if (current === undefined) return [{ operation: "insert_reusable_content", title, document: { document } }]
  return [{ operation: "update_reusable_content", reusableContent: id, title, document: { document } }]
}

/** Returns the edits that make the change request equal to the space where they conflict. */
const alignEdits = ({
  pageId,
  conflicts,
  theirs,
  ours,
  places,
  reusable
}: PageConflict): ReadonlyArray<ContentChange> => {
  if (reusable !== undefined) return reusableEdits(pageId, reusable.theirs, reusable.ours)
  if (places !== undefined) return alignPlaces(places)
  return conflicts.flatMap((conflict): ReadonlyArray<ContentChange> => {
    if (conflict.file !== undefined) return [{ operation: "delete_files", files: [conflict.file.id] }]
    if (conflict.kind === "deletion") {
      if (theirs === undefined) return [{ operation: "delete_page", page: pageId }]
      const restored = ours === undefined ? [{ operation: "revert_page", page: pageId } as const] : []
      return [...restored, { operation: "update_page", page: pageId, document: { markdown: theirs } }]
    }
    if (conflict.kind === "body") {
      return theirs === undefined
        ? []
        : [{ operation: "update_page", page: pageId, document: { markdown: theirs } }]
    }
    return conflict.field === undefined ? [] : [fieldChange(pageId, conflict.field, conflict.primary)]
  })
}

/** Returns the edits that give the change request the chosen content. */
const resultEdits = (
  { pageId, title, conflicts, chunks, theirs, ours, places, reusable }: PageConflict,
  { sides, choices }: Decision
): ReadonlyArray<ContentChange> => {
  if (reusable !== undefined) {
    return sides.reusable === "ours" ? reusableEdits(pageId, reusable.ours, reusable.theirs) : []
  }
  const decided = conflicts.flatMap((conflict): ReadonlyArray<ContentChange> => {
    // The file was deleted.
    if (conflict.file !== undefined || isPlaceConflict(conflict)) return []
    if (conflict.kind === "deletion") {
      if (sides.deletion !== "ours") return []
      if (theirs !== undefined) return [{ operation: "delete_page", page: pageId }]
      return [{ operation: "insert_page", title, document: { markdown: ours ?? "" } }]
    }
    if (conflict.kind === "body") {
      const markdown = joinChunks(chunks, choices)
      return markdown === theirs ? [] : [{ operation: "update_page", page: pageId, document: { markdown } }]
    }
    const { field } = conflict
    return field === undefined || sides[field] !== "ours" ? [] : [fieldChange(pageId, field, conflict.change)]
  })
  return places === undefined ? decided : [...placeEdits(places, sides.place), ...decided]
}

/** Resolves the conflicts as decided. Rejects with `ApiError`; the chosen Markdown then remains on this device. */
export const resolveConflicts = async (
  request: ChangeRequest,
  pages: ReadonlyArray<PageConflict>,
  decisions: ReadonlyMap<string, Decision>
): Promise<ReadonlyArray<Conflict>> => {
  const place = placeOfRequest(request)
  const number = String(request.number)
  const decisionOf = ({ pageId }: PageConflict): Decision =>
    decisions.get(pageId) ?? { sides: {}, choices: [] }
  for (const page of pages) {
    if (page.chunks.length === 0) continue
    const markdown = joinChunks(page.chunks, decisionOf(page).choices)
    writeDraft(request.space, number, page.pageId, { title: page.title, markdown, base: page.theirs ?? "" })
  }
  const align = pages.flatMap(alignEdits)
  if (align.length > 0) await editContent(place, align)
  const updated = await client.changeRequests.updateChangeRequest({
    params: { spaceId: request.space, changeRequestId: request.id }
  })
  if (updated.result === "conflicts") return updated.conflicts
  const result = pages.flatMap((page) => resultEdits(page, decisionOf(page)))
  if (result.length > 0) await editContent(place, result)
  for (const { pageId } of pages) removeDraft(request.space, number, pageId)
  return []
}
