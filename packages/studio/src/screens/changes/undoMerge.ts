/** Undoes a merge: the content before it becomes a new revision, so that the history keeps the merged content. */
import { openConfirm } from "../../components/openConfirm.tsx"
import { invalidate } from "../../data/cache.ts"
import { runChange, showFailure } from "../../data/change.ts"
import { spaceKey } from "../../data/spaces.ts"
import { showToast } from "../../data/toasts.ts"
import { client } from "../../session.ts"
import { translate } from "../../strings/strings.ts"
import { reviewStrings } from "./reviewStrings.ts"

/** Returns the revision of the space before a merge: the first parent of the revision that the merge created. */
const revisionBefore = async (spaceId: string, merged: string): Promise<string | undefined> => {
  const { parents } = await client.revisions.getRevisionById({
    params: { spaceId, revisionId: merged },
    query: { computed: false, metadata: false }
  })
  return parents[0]
}

const restore = (spaceId: string, revisionId: string) =>
  client.history.restoreRevision({ params: { spaceId, revisionId } })

/** Undoes the merge that has just created a revision, unless the space has changed since. */
export const undoLatestMerge = async (spaceId: string, merged: string): Promise<void> => {
  const failure = translate(reviewStrings, "mergeNotUndone")
  try {
    const [before, { revision }] = await Promise.all([
      revisionBefore(spaceId, merged),
      client.spaces.getSpaceById({ params: { spaceId } })
    ])
    if (before === undefined || revision !== merged) {
      showToast({ kind: "failed", message: failure, detail: translate(reviewStrings, "spaceChanged") })
      return
    }
    await restore(spaceId, before)
    invalidate(spaceKey(spaceId))
    showToast({
      kind: "done",
      message: translate(reviewStrings, "mergeUndone"),
      detail: translate(reviewStrings, "mergeUndoneDetail")
    })
  } catch (error) {
    showFailure(failure, error)
  }
}

/** Undoes an earlier merge after a question, which states whether later changes are undone, too. */
export const confirmUndoMerge = async (spaceId: string, merged: string): Promise<void> => {
  const failure = translate(reviewStrings, "mergeNotUndone")
  try {
    const [before, { revision }] = await Promise.all([
      revisionBefore(spaceId, merged),
      client.spaces.getSpaceById({ params: { spaceId } })
    ])
    if (before === undefined) return
    openConfirm({
      title: translate(reviewStrings, "undoMergeTitle"),
      body: translate(reviewStrings, revision === merged ? "undoMergeBody" : "undoMergeLater"),
      confirm: translate(reviewStrings, "undoMerge"),
      run: () =>
        void runChange({
          send: () => restore(spaceId, before),
          message: translate(reviewStrings, "mergeUndone"),
          failure,
          undo: () => restore(spaceId, revision),
          invalidates: [spaceKey(spaceId)]
        })
    })
  } catch (error) {
    showFailure(failure, error)
  }
}
