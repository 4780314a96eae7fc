/** The dialog that merges a change request, and displays the merge rules that do not pass. */
import {
  ApiError,
  type ChangeRequest,
  type ChangeRequestReview,
  type FailingMergeRule,
  type Space
} from "@lectern/client/fetch"
import { type FormEvent, useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { invalidate } from "../../data/cache.ts"
import { showFailure } from "../../data/change.ts"
import { spaceKey } from "../../data/spaces.ts"
import { showToast } from "../../data/toasts.ts"
import { client } from "../../session.ts"
import { useFormats } from "../../strings/formats.ts"
import { shellStrings } from "../../strings/shell.ts"
import { useStrings } from "../../strings/strings.ts"
import { saveEditors } from "./openEditors.ts"
import { useReviews } from "./Reviewers.tsx"
import { reviewStrings } from "./reviewStrings.ts"
import { changesStrings } from "./strings.ts"
import { undoLatestMerge } from "./undoMerge.ts"

/** Properties of {@link MergeDialog}. */
export interface MergeDialogProps {
  readonly request: ChangeRequest
  readonly space: Space
  readonly onClose: () => void
}

/** Returns the names of the people who have requested changes in their latest review. */
const objectorsOf = (reviews: ReadonlyArray<ChangeRequestReview>): ReadonlyArray<string> => {
  const latest = new Map<string, ChangeRequestReview>()
  for (const review of reviews) {
    const known = latest.get(review.reviewer.id)
    if (known === undefined || known.createdAt < review.createdAt) latest.set(review.reviewer.id, review)
  }
  return [...latest.values()]
    .filter(({ status }) => status === "changes-requested")
    .map(({ reviewer }) => reviewer.displayName)
}

/** The dialog that merges a change request. */
export const MergeDialog = ({ request, space, onClose }: MergeDialogProps) => {
  const t = useStrings(changesStrings)
  const shell = useStrings(shellStrings)
  const [isPending, setIsPending] = useState(false)
  const [rules, setRules] = useState<ReadonlyArray<FailingMergeRule>>([])
  const reviewing = useStrings(reviewStrings)
  const { list } = useFormats()
  const objectors = objectorsOf(useReviews(request).data ?? [])
  const refresh = () => invalidate(spaceKey(space.id))
  const merge = async (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    setIsPending(true)
    try {
      // A closed editor can still be saving its text.
      await saveEditors()
      const result = await client.changeRequests.mergeChangeRequest({
        params: { spaceId: space.id, changeRequestId: request.id }
      })
      if (result.result === "conflicts") {
        // They came up after the preview, which is loaded again and displays them.
        showToast({ kind: "failed", message: t("mergeFailed"), detail: t("conflictsBody") })
      } else {
        showToast({
          kind: "done",
          message: t("mergedMessage"),
          // The content before the merge becomes a new revision: the history remains.
          undo: () => void undoLatestMerge(space.id, result.revision)
        })
      }
      refresh()
      onClose()
    } catch (error) {
      setIsPending(false)
      if (error instanceof ApiError && error.failingRules.length > 0) return setRules(error.failingRules)
      onClose()
      showFailure(t("mergeFailed"), error)
    }
  }
  return (
    <Dialog title={t("mergeTitle", { space: space.title })} onClose={onClose}>
      <form onSubmit={merge}>
        <div className="dialog-body">
          <p>{t("mergeBody")}</p>
          {objectors.length === 0 ? null : (
            <p className="notice">{reviewing("objectors", { people: list(objectors) })}</p>
          )}
          {rules.length === 0 ? null : (
            <div role="alert" className="form-error">
              <strong>{t("rulesFailing")}</strong>
              <ul>
                {rules.map(({ rule, message }) => (
                  <li key={rule}>{message}</li>
                ))}
              </ul>
            </div>
          )}
        </div>
        <footer className="dialog-footer">
          <Button variant="quiet" onPress={onClose}>
            {shell("cancel")}
          </Button>
          {/* Enter merges: the content before the merge remains a revision. */}
          <Button variant="primary" type="submit" autoFocus isPending={isPending}>
            {t("merge")}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
