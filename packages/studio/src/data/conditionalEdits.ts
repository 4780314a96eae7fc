/** Edits that are applied only if the content has not changed since it was loaded. */
import { ApiError, type ContentChange } from "@lectern/client/fetch"
import { client, loadEntityTag } from "../session.ts"
import { contentPath, type Edited, editRevision, type Place } from "./content.ts"

/** An edit of a version of content. */
export interface ConditionalEdit {
  readonly place: Place
  readonly changes: ReadonlyArray<ContentChange>
  /** Returns whether the edited content still has the version that was loaded. */
  readonly isCurrent: () => Promise<boolean>
}

/** How often an edit is repeated because other content of the place was changed at the same time. */
const maximumAttempts = 5

/**
 * Applies an edit. Returns `undefined`, without an effect, if the edited content has changed. The entity tag is that of the whole content, so
 * that an edit is repeated if something else has changed. Rejects with `ApiError`.
 */
export const editIfCurrent = async ({
  place,
  changes,
  isCurrent
}: ConditionalEdit): Promise<Edited | undefined> => {
  for (let attempt = 1; ; attempt++) {
    // The tag is read first: a change after it is found by the edit.
    const ifMatch = await loadEntityTag(contentPath(place))
    if (!(await isCurrent())) return undefined
    try {
      return await editRevision(place, changes, { ifMatch })
    } catch (error) {
      const isChanged = error instanceof ApiError && error._tag === "PreconditionFailed"
      if (!isChanged || attempt >= maximumAttempts) throw error
    }
  }
}

/** Returns the id of the body of a page in a place, which changes with the body. */
export const loadDocumentId = async (
  { spaceId, change }: Place,
  pageId: string
): Promise<string | undefined> => {
  const page =
    change === undefined
      ? await client.content.getPageById({ params: { spaceId, pageId } })
      : await client.changeRequestContent.getPageInChangeRequestById({
          params: { spaceId, changeRequestId: change, pageId }
        })
  return page.type === "document" ? page.documentId : undefined
}
