/** The actions of a change request: its review, its merge, and everything else that is possible with it. */
import type { ChangeRequest, MergePreview, Space } from "@lectern/client/fetch"
import { type Action, useActions } from "../../actions/actions.ts"
import { ActionMenu } from "../../components/ActionMenu.tsx"
import { Button, ButtonLink } from "../../components/Button.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { useUserId } from "../../data/user.ts"
import { navigate } from "../../router/location.ts"
import { shellStrings } from "../../strings/shell.ts"
import { useStrings } from "../../strings/strings.ts"
import { isOpen, useCanChange } from "../space/usePlace.ts"
import { copyPreviewLink } from "./copyPreviewLink.ts"
import { MergeDialog } from "./MergeDialog.tsx"
import { ReviewDialog } from "./ReviewDialog.tsx"
import { reapply } from "./reapply.ts"
import { setStatus } from "./requestChanges.ts"
import { reviewStrings } from "./reviewStrings.ts"
import { changesStrings } from "./strings.ts"
import { confirmUndoMerge } from "./undoMerge.ts"
import { updateFromSpace } from "./updateFromSpace.ts"

/** The id of the text that states what prevents the merge. */
const blockedId = "merge-blocked"

/** Properties of {@link ReviewActions}. */
export interface ReviewActionsProps {
  readonly request: ChangeRequest
  readonly space: Space
  /** The preview of the merge, once it is loaded. */
  readonly preview: MergePreview | undefined
}

/** The actions of a change request. Merge is the primary one of the people who can merge, and Approve of the others. */
export const ReviewActions = ({ request, space, preview }: ReviewActionsProps) => {
  const t = useStrings(changesStrings)
  const reviewing = useStrings(reviewStrings)
  const shell = useStrings(shellStrings)
  const isAuthor = useUserId() === request.createdBy.id
  const isActive = isOpen(request)
  const canMerge = isActive && space.permissions.merge
  const canReview = request.status === "open" && space.permissions.review && !isAuthor
  const canEdit = useCanChange(space.permissions, request)
  const canRequest = request.status === "draft" && canEdit
  const openReview = (status: "approved" | "changes-requested") =>
    openDialog((onClose) => <ReviewDialog request={request} status={status} onClose={onClose} />)
  const openMerge = () =>
    openDialog((onClose) => <MergeDialog request={request} space={space} onClose={onClose} />)
  const conflicts = preview?.conflicts.length ?? 0
  const failing = preview?.failingRules.length ?? 0
  const isBlocked = conflicts > 0 || failing > 0
  const readPath = `/spaces/${request.space}/changes/${request.number}?view=read`
  const merged = request.revisionMerged
  const isUndone = request.undoneBy !== undefined
  const canReapply = isUndone && space.permissions.edit
  const more: ReadonlyArray<Action> = [
    { id: "change.copyPreview", label: reviewing("copyPreview"), run: () => void copyPreviewLink(request) },
    ...(merged !== undefined && !isUndone && space.permissions.merge
      ? [
          {
            id: "change.undoMerge",
            label: reviewing("undoMerge"),
            isDangerous: true,
            run: () => void confirmUndoMerge(space.id, merged)
          }
        ]
      : []),
    ...(canEdit
      ? [
          ...(isActive
            ? [
                { id: "change.update", label: t("update"), run: () => void updateFromSpace(request) },
                ...(request.status === "open"
                  ? [
                      {
                        id: "change.draft",
                        label: t("backToDraft"),
                        run: () => void setStatus(request, "draft")
                      }
                    ]
                  : []),
                { id: "change.archive", label: t("archive"), run: () => void setStatus(request, "archived") }
              ]
            : []),
          ...(request.status === "archived"
            ? [{ id: "change.reopen", label: t("reopen"), run: () => void setStatus(request, "draft") }]
            : [])
        ]
      : [])
  ]
  useActions([
    ...more,
    { id: "change.preview", label: reviewing("preview"), run: () => navigate(readPath) },
    ...(canRequest
      ? [
          {
            id: "change.request",
            label: t("requestReview"),
            shortcut: "q",
            run: () => void setStatus(request, "open")
          }
        ]
      : []),
    ...(canReapply
      ? [{ id: "change.reapply", label: reviewing("reapply"), run: () => void reapply(request) }]
      : []),
    ...(canMerge && !isBlocked ? [{ id: "change.merge", label: t("merge"), run: openMerge }] : []),
    ...(canReview
      ? [
          { id: "change.approve", label: t("approve"), shortcut: "a", run: () => openReview("approved") },
          {
            id: "change.reject",
            label: t("requestChanges"),
            shortcut: "r",
            run: () => openReview("changes-requested")
          }
        ]
      : [])
  ])
  return (
    <>
      <ActionMenu label={shell("moreActions")} actions={more} />
      <ButtonLink to={readPath} variant="quiet">
        {reviewing("preview")}
      </ButtonLink>
      {canReapply ? (
        <Button variant="primary" onPress={() => void reapply(request)}>
          {reviewing("reapply")}
        </Button>
      ) : null}
      {canRequest ? (
        <Button variant={canMerge ? "normal" : "primary"} onPress={() => void setStatus(request, "open")}>
          {t("requestReview")}
        </Button>
      ) : null}
      {canReview ? (
        <>
          <Button onPress={() => openReview("changes-requested")}>{t("requestChanges")}</Button>
          <Button variant={canMerge ? "normal" : "primary"} onPress={() => openReview("approved")}>
            {t("approve")}
          </Button>
        </>
      ) : null}
      {canMerge ? (
        <Button
          variant={conflicts > 0 ? "normal" : "primary"}
          isDisabled={isBlocked}
          {...(isBlocked ? { "aria-describedby": blockedId } : {})}
          onPress={openMerge}
        >
          {t("merge")}
        </Button>
      ) : null}
      {canMerge && isBlocked ? (
        <p id={blockedId} className="muted small merge-blocked">
          {conflicts > 0
            ? t("mergeAfterConflicts", { count: conflicts })
            : t("mergeAfterRules", { count: failing })}
        </p>
      ) : null}
    </>
  )
}
