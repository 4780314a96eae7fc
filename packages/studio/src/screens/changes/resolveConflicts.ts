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
  type Page
} from "@lectern/client/fetch"
import { editContent, loadPage, type Place } from "../../data/content.ts"
import { loadReusable, loadReusableDocument } from "../../data/reusable.ts"
import { type Choice, joinChunks, type MergeChunk, mergeWithConflict } from "../../diff/mergeLines.ts"
import { client } from "../../session.ts"
import { removeDraft, writeDraft } from "./drafts.ts"

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
  /** The side for each field by its name, for a deletion under `deletion`. */
  readonly sides: Readonly<Record<string, "theirs" | "ours">>
  /** The choice for each conflict of the text, in their order. */
  readonly choices: ReadonlyArray<Choice>
}

/** Whether the application can resolve a conflict. The others are resolved by editing the page. */
export const isResolvable = ({ kind, page, reusableContent, primary, change }: Conflict): boolean => {
  if (reusableContent !== undefined) return true
  if (page === undefined) return false
  if (kind === "body" || kind === "deletion") return true
  return kind === "field" && [primary, change].every((value) => ["string", "boolean"].includes(typeof value))
}

const markdownOf = (page: Page | undefined): string | undefined =>
  page?.type === "document" ? (page.markdown ?? "") : undefined

const absentIfMissing = (error: unknown): undefined => {
  if (error instanceof ApiError && error._tag === "NotFound") return undefined
  throw error
}

const placeOf = ({ space, number }: ChangeRequest): Place => ({ spaceId: space, change: String(number) })

const baseOf = ({ revisionMergedAncestor, revisionInitial }: ChangeRequest): string =>
  revisionMergedAncestor ?? revisionInitial

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
        loadReusableSide(placeOf(request), id)
      ])
      const { title } = list[0]!.reusableContent!
      const sides = { theirs: undefined, ours: undefined, reusable: { theirs, ours } }
      return { pageId: id, title, conflicts: list, chunks: [], ...sides }
    })
  )
}

/** Loads the sides of the conflicts: page by page, and by reusable content. */
export const loadConflicts = async (
  request: ChangeRequest,
  conflicts: ReadonlyArray<Conflict>
): Promise<ReadonlyArray<PageConflict>> => {
  const [pages, contents] = await Promise.all([
    loadPageConflicts(request, conflicts),
    loadReusableConflicts(request, conflicts)
  ])
  return [...pages, ...contents]
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
      const params = { spaceId: request.space, revisionId: baseOf(request), pageId }
      const [base, theirs, ours] = await Promise.all([
        client.revisions
          .getPageInRevisionById({ params, query: { format: "markdown" } })
          .catch(absentIfMissing),
        loadPage({ spaceId: request.space }, pageId, "markdown").catch(absentIfMissing),
        loadPage(placeOf(request), pageId, "markdown").catch(absentIfMissing)
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
        ours: ourText
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
  reusable
}: PageConflict): ReadonlyArray<ContentChange> => {
  if (reusable !== undefined) return reusableEdits(pageId, reusable.theirs, reusable.ours)
  return conflicts.flatMap((conflict): ReadonlyArray<ContentChange> => {
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
  { pageId, title, conflicts, chunks, theirs, ours, reusable }: PageConflict,
  { sides, choices }: Decision
): ReadonlyArray<ContentChange> => {
  if (reusable !== undefined) {
    return sides.reusable === "ours" ? reusableEdits(pageId, reusable.ours, reusable.theirs) : []
  }
  return conflicts.flatMap((conflict): ReadonlyArray<ContentChange> => {
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
}

/** Resolves the conflicts as decided. Rejects with `ApiError`; the chosen Markdown then remains on this device. */
export const resolveConflicts = async (
  request: ChangeRequest,
  pages: ReadonlyArray<PageConflict>,
  decisions: ReadonlyMap<string, Decision>
): Promise<ReadonlyArray<Conflict>> => {
  const place = placeOf(request)
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
