/**
 * Resolves conflicts by edits of the change request, which is how the API resolves them: the change request takes the content of
 * the space, is updated, and then gets the content that was chosen.
 */
import {
  ApiError,
  type ChangeRequest,
  type Conflict,
  type ContentChange,
  type JSONDocumentEncoded,
  type File as SpaceFile
} from "@lectern/client/fetch"
import { editContent, loadRevisionId, type Place } from "../../data/content.ts"
import { loadReusable, loadReusableDocument } from "../../data/reusable.ts"
import { type Choice, joinChunks, type MergeChunk, mergeWithConflict } from "../../diff/mergeLines.ts"
import { client } from "../../session.ts"
import { removeDraft, writeDraft } from "./drafts.ts"
import {
  alignPlaces,
  deletedSides,
  isPlaceConflict,
  loadPageSides,
  loadPlaces,
  markdownOf,
  type PlacedPage,
  placeEdits,
  placeOfRequest
} from "./placeConflicts.ts"
import type { RenderedChunk } from "./renderedChunks.ts"

/** Fields that an edit sets to any value that a conflict has, also to none. */
const resettableFields: ReadonlySet<string> = new Set(["emoji", "icon", "description", "condition", "cover"])

/** The conflict of a page, with the Markdown of its sides if it conflicts. */
export interface PageConflict {
  readonly pageId: string
  readonly title: string
  readonly conflicts: ReadonlyArray<Conflict>
  /** The merged text, if the text conflicts. */
  readonly chunks: ReadonlyArray<MergeChunk>
  /** The blocks of each part of the merged text. */
  readonly rendered: ReadonlyArray<RenderedChunk>
  /** The text of the space. Absent if the space deleted the page. */
  readonly theirs: string | undefined
  /** The text of the change request. Absent if it deleted the page. */
  readonly ours: string | undefined
  /** The places of the pages, if they conflict. */
  readonly places?: ReadonlyArray<PlacedPage>
  /** The sides of a reusable content, whose id is that of the conflict. Absent for pages. */
  readonly reusable?: { readonly theirs: ReusableSide | undefined; readonly ours: ReusableSide | undefined }
  /** The sides of a file, whose id is that of the conflict. Absent for pages. */
  readonly file?: { readonly theirs: SpaceFile | undefined; readonly ours: SpaceFile | undefined }
}

/** A reusable content of a side. */
export interface ReusableSide {
  readonly title: string
  readonly document: JSONDocumentEncoded
}

/** The decisions on a page. */
export interface Decision {
  /** The side for each field by its name, for a deletion under `deletion`, for a place under `place`, and for a file or a reusable content under `item`. */
  readonly sides: Readonly<Record<string, "theirs" | "ours">>
  /** The choice for each conflict of the text, in their order. */
  readonly choices: ReadonlyArray<Choice>
}

/** Whether the application can resolve a conflict. The others are resolved by editing the page. */
export const isResolvable = (conflict: Conflict): boolean => {
  const { kind, page, file, field, reusableContent, primary, change } = conflict
  if (reusableContent !== undefined || file !== undefined) return true
  if (page === undefined) return false
  if (isPlaceConflict(conflict)) return true
  if (kind === "body" || kind === "deletion") return true
  if (kind !== "field" || field === undefined) return false
  return (
    resettableFields.has(field) ||
    [primary, change].every((value) => ["string", "boolean"].includes(typeof value))
  )
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
      const deleted = deletedSides(list)
      const [theirs, ours] = await Promise.all([
        deleted.theirs ? undefined : loadReusableSide({ spaceId: request.space }, id),
        deleted.ours ? undefined : loadReusableSide(placeOfRequest(request), id)
      ])
      const { title } = list[0]!.reusableContent!
      const sides = { theirs: undefined, ours: undefined, reusable: { theirs, ours } }
      return { pageId: id, title, conflicts: list, chunks: [], rendered: [], ...sides }
    })
  )
}

/** Loads the sides of the conflicts in files. */
const loadFileConflicts = (
  { space, number }: ChangeRequest,
  conflicts: ReadonlyArray<Conflict>
): Promise<ReadonlyArray<PageConflict>> => {
  const byFile = Map.groupBy(
    conflicts.filter(({ file }) => file !== undefined),
    ({ file }) => file!.id
  )
  return Promise.all(
    Array.from(byFile, async ([fileId, list]): Promise<PageConflict> => {
      const params = { spaceId: space, changeRequestId: String(number), fileId }
      const deleted = deletedSides(list)
      const [theirs, ours] = await Promise.all([
        deleted.theirs ? undefined : client.content.getFileById({ params }).catch(absentIfMissing),
        deleted.ours
          ? undefined
          : client.changeRequestContent.getFileInChangeRequestById({ params }).catch(absentIfMissing)
      ])
      const sides = { theirs: undefined, ours: undefined, file: { theirs, ours } }
      return {
        pageId: fileId,
        title: list[0]!.file!.title,
        conflicts: list,
        chunks: [],
        rendered: [],
        ...sides
      }
    })
  )
}

/** Loads the sides of the conflicts: page by page, by reusable content, and by file. */
export const loadConflicts = async (
  request: ChangeRequest,
  conflicts: ReadonlyArray<Conflict>
): Promise<ReadonlyArray<PageConflict>> => {
  const found = await Promise.all([
    loadPageConflicts(request, conflicts),
    loadReusableConflicts(request, conflicts),
    loadFileConflicts(request, conflicts)
  ])
  return found.flat()
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
        loadPageSides(request, pageId, deletedSides(list)),
        loadPlaces(request, list)
      ])
      const [baseText = "", theirText, ourText] = [base, theirs, ours].map(markdownOf)
      const hasText =
        list.some(({ kind }) => kind === "body") && theirText !== undefined && ourText !== undefined
      const linesOf = (text: string) => text.split("\n")
      const chunks = hasText ? mergeWithConflict(linesOf(baseText), linesOf(theirText), linesOf(ourText)) : []
      const { markParagraphs, renderChunks } = await import("./renderedChunks.ts")
      const rendered = renderChunks(chunks)
      return {
        pageId,
        title: list[0]!.page!.title,
        conflicts: list,
        chunks: markParagraphs(chunks, rendered),
        rendered,
        theirs: theirText,
        ours: ourText,
        ...(places === undefined ? {} : { places })
      }
    })
  )
}

/** Returns the change of a field. The API returns its value, of the type that it takes; null for none. */
const fieldChange = (page: string, field: string, value: unknown): ContentChange =>
  ({
    operation: "update_page",
    page,
    [field]: value === null && !["condition", "cover"].includes(field) ? "" : value
  }) as ContentChange

/** The revisions of both sides before they are merged, from which items are restored as a whole. */
interface SideRevisions {
  readonly theirs: string
  readonly ours: string
}

/** Returns the edit that reverts a file or a reusable content to a revision, which may lack it. */
const revertItem = ({ pageId, file }: PageConflict, revision: string): ContentChange =>
  file === undefined
    ? { operation: "revert_reusable_content", reusableContent: pageId, revision }
    : { operation: "revert_file", file: pageId, revision }

/** Returns the edits that make the change request equal to the space where they conflict. */
const alignEdits = (
  conflictsOfPage: PageConflict,
  revisions: SideRevisions
): ReadonlyArray<ContentChange> => {
  const { pageId, conflicts, theirs, places, reusable, file } = conflictsOfPage
  if (reusable !== undefined || file !== undefined) return [revertItem(conflictsOfPage, revisions.theirs)]
  if (places !== undefined) return alignPlaces(places)
  return conflicts.flatMap((conflict): ReadonlyArray<ContentChange> => {
    if (conflict.kind === "deletion") {
      return theirs === undefined
        ? [{ operation: "delete_page", page: pageId }]
        : [{ operation: "revert_page", page: pageId, revision: revisions.theirs }]
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
  conflictsOfPage: PageConflict,
  { sides, choices }: Decision,
  revisions: SideRevisions
): ReadonlyArray<ContentChange> => {
  const { pageId, conflicts, chunks, theirs, places, reusable, file } = conflictsOfPage
  if (reusable !== undefined || file !== undefined) {
    return sides.item === "ours" ? [revertItem(conflictsOfPage, revisions.ours)] : []
  }
  const decided = conflicts.flatMap((conflict): ReadonlyArray<ContentChange> => {
    if (isPlaceConflict(conflict)) return []
    if (conflict.kind === "deletion") {
      if (sides.deletion !== "ours") return []
      // The page keeps its id, and returns with the pages below it.
      return theirs === undefined
        ? [{ operation: "revert_page", page: pageId, revision: revisions.ours }]
        : [{ operation: "delete_page", page: pageId }]
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
  const revisions = { theirs: await loadRevisionId({ spaceId: request.space }), ours: request.revision }
  const align = pages.flatMap((page) => alignEdits(page, revisions))
  if (align.length > 0) await editContent(place, align)
  const updated = await client.changeRequests.updateChangeRequest({
    params: { spaceId: request.space, changeRequestId: request.id }
  })
  if (updated.result === "conflicts") return updated.conflicts
  const result = pages.flatMap((page) => resultEdits(page, decisionOf(page), revisions))
  if (result.length > 0) await editContent(place, result)
  for (const { pageId } of pages) removeDraft(request.space, number, pageId)
  return []
}
