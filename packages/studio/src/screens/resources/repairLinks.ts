/** Repairs the links of pages to a target that does not exist. */
import type { ContentChange, ContentRef } from "@lectern/client/fetch"
import { editIfCurrent, loadDocumentId } from "../../data/conditionalEdits.ts"
import { loadPage, type Place } from "../../data/content.ts"
import { repairDocument } from "./repairDocument.ts"

/** The maximum number of pages that one revision repairs, which is that of changes of a batch. */
const maximumPages = 50

/** The result of a repair: the number of pages, or that a page was changed at the same time. */
export type RepairResult =
  | { readonly _tag: "Repaired"; readonly pages: number }
  | { readonly _tag: "Unchanged" }
  | { readonly _tag: "Changed" }

/** Repairs the links of pages to a target, as one revision per 50 pages. Rejects with `ApiError`. */
export const repairLinks = async (
  place: Place,
  pageIds: ReadonlyArray<string>,
  target: string,
  replacement: ContentRef | undefined
): Promise<RepairResult> => {
  let pages = 0
  for (let start = 0; start < pageIds.length; start += maximumPages) {
    const versions = new Map<string, string | undefined>()
    const changes: Array<ContentChange> = []
    for (const id of pageIds.slice(start, start + maximumPages)) {
      const page = await loadPage(place, id, "document")
      if (page.type !== "document" || page.document === undefined) continue
      const document = repairDocument(page.document, target, replacement)
      if (JSON.stringify(document) === JSON.stringify(page.document)) continue
      versions.set(id, page.documentId)
      changes.push({ operation: "update_page", page: id, document: { document } })
    }
    if (changes.length === 0) continue
    const edited = await editIfCurrent({
      place,
      changes,
      isCurrent: async () => {
        for (const [id, version] of versions) {
          if ((await loadDocumentId(place, id)) !== version) return false
        }
        return true
      }
    })
    if (edited === undefined) return { _tag: "Changed" }
    pages += changes.length
  }
  return pages === 0 ? { _tag: "Unchanged" } : { _tag: "Repaired", pages }
}
