/** Restores a page of a revision: in the space, or in a change request if the space is locked. */
import type { Space } from "@lectern/client/fetch"
import { invalidate } from "../../data/cache.ts"
import { showFailure } from "../../data/change.ts"
import { editRevision, undoEdit } from "../../data/content.ts"
import { spaceKey } from "../../data/spaces.ts"
import { showToast } from "../../data/toasts.ts"
import { placeOfEdits } from "../../edits/editing.ts"
import { translate } from "../../strings/strings.ts"
import { historyStrings } from "./strings.ts"

/** A page to restore. */
export interface PageName {
  readonly id: string
  readonly title: string
}

/** Restores the content of a page in a revision. */
export const restorePage = async (space: Space, revision: string, { id, title }: PageName): Promise<void> => {
  try {
    const place = await placeOfEdits(space, { spaceId: space.id })
    const restored = await editRevision(place, [{ operation: "revert_page", page: id, revision }])
    invalidate(spaceKey(space.id))
    showToast({
      kind: "done",
      message:
        place.change === undefined
          ? translate(historyStrings, "pageRestored", { title })
          : translate(historyStrings, "pageRestoredIn", { title, number: place.change }),
      undo: () =>
        void undoEdit(place, restored, [id]).then(
          () => invalidate(spaceKey(space.id)),
          (error: unknown) => showFailure(translate(historyStrings, "pageNotRestored", { title }), error)
        )
    })
  } catch (error) {
    showFailure(translate(historyStrings, "pageNotRestored", { title }), error)
  }
}
