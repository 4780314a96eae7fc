/** The review of a change request: what changes for readers, page by page, its reviews, and the merge. */
import type { ChangeRequest, Conflict, SemanticChange, Space } from "@lectern/client/fetch"
import { GitPullRequestArrow } from "lucide-react"
import { useState } from "react"
import { useActions } from "../../actions/actions.ts"
import { ActionMenu } from "../../components/ActionMenu.tsx"
import { Button, ButtonLink } from "../../components/Button.tsx"
import { ChangeRequestStatus } from "../../components/ChangeRequestStatus.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState, FailedState, Loaded, Skeleton } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { useChanges } from "../../data/changeRequests.ts"
import { sessionStore } from "../../session.ts"
import { useStore } from "../../store/store.ts"
import { shellStrings } from "../../strings/shell.ts"
import { useStrings } from "../../strings/strings.ts"
import { isOpen, usePlace } from "../space/usePlace.ts"
import { ChangeList } from "./ChangeList.tsx"
import { ChangeSummary } from "./ChangeSummary.tsx"
import { ConflictList } from "./ConflictList.tsx"
import { MergeDialog } from "./MergeDialog.tsx"
import { ReviewDialog } from "./ReviewDialog.tsx"
import { ReviewList } from "./ReviewList.tsx"
import { setStatus } from "./requestChanges.ts"
import { changesStrings } from "./strings.ts"
import { updateFromSpace } from "./updateFromSpace.ts"

interface ActionsProps {
  readonly request: ChangeRequest
  readonly space: Space
  readonly onConflicts: (conflicts: ReadonlyArray<Conflict>) => void
}

/** The actions of a change request. Merge is the primary one of the people who can merge, and Approve of the others. */
const ReviewActions = ({ request, space, onConflicts }: ActionsProps) => {
  const t = useStrings(changesStrings)
  const shell = useStrings(shellStrings)
  const session = useStore(sessionStore)
  const isAuthor = session.state === "signed-in" && session.user.id === request.createdBy.id
  const isActive = isOpen(request)
  const canMerge = isActive && space.permissions.merge
  const canReview = request.status === "open" && space.permissions.review && !isAuthor
  const canEdit = space.permissions.edit
  const openReview = (status: "approved" | "changes-requested") =>
    openDialog((onClose) => <ReviewDialog request={request} status={status} onClose={onClose} />)
  const openMerge = () =>
    openDialog((onClose) => (
      <MergeDialog request={request} space={space} onConflicts={onConflicts} onClose={onClose} />
    ))
  useActions([
    ...(canMerge ? [{ id: "change.merge", label: t("merge"), run: openMerge }] : []),
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
  const more = canEdit
    ? [
        ...(isActive
          ? [
              { id: "update", label: t("update"), run: () => void updateFromSpace(request, onConflicts) },
              ...(request.status === "open"
                ? [{ id: "draft", label: t("backToDraft"), run: () => void setStatus(request, "draft") }]
                : []),
              { id: "archive", label: t("archive"), run: () => void setStatus(request, "archived") }
            ]
          : []),
        ...(request.status === "archived"
          ? [{ id: "reopen", label: t("reopen"), run: () => void setStatus(request, "draft") }]
          : [])
      ]
    : []
  return (
    <>
      <ActionMenu label={shell("moreActions")} actions={more} />
      {request.status === "draft" && canEdit ? (
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
        <Button variant="primary" onPress={openMerge}>
          {t("merge")}
        </Button>
      ) : null}
    </>
  )
}

const NoChanges = ({ request }: { readonly request: ChangeRequest }) => {
  const t = useStrings(changesStrings)
  return (
    <EmptyState
      icon={<GitPullRequestArrow />}
      title={t("noChanges")}
      actions={
        <ButtonLink to={`/spaces/${request.space}/changes/${request.number}`}>{t("goToPages")}</ButtonLink>
      }
    >
      {t("noChangesBody")}
    </EmptyState>
  )
}

const idOf = (change: SemanticChange): string =>
  "page" in change ? change.page.id : "file" in change ? change.file.id : change.reusableContent.id

interface Attempt {
  readonly attempt: number
  readonly conflicts: ReadonlyArray<Conflict>
}

/** The review of a change request. */
const ReviewScreen = ({
  params
}: {
  readonly params: { readonly space: string; readonly number: string }
}) => {
  const t = useStrings(changesStrings)
  const { space, changeRequest } = usePlace(params.space, params.number)
  const changes = useChanges(params.space, params.number)
  // Each attempt to merge or to update has its own conflicts.
  const [{ attempt, conflicts }, setAttempt] = useState<Attempt>({ attempt: 0, conflicts: [] })
  const setConflicts = (found: ReadonlyArray<Conflict>) =>
    setAttempt({ attempt: attempt + 1, conflicts: found })
  const { data: request, error, reload } = changeRequest
  if (request === undefined || space.data === undefined) {
    const failure = error ?? space.error
    return failure === undefined ? (
      <Skeleton kind="text" rows={8} />
    ) : (
      <FailedState error={failure} onRetry={reload} />
    )
  }
  const subject = request.subject === "" ? t("untitled") : request.subject
  return (
    <ScreenFrame
      title={subject}
      above={`${space.data.title} · #${request.number}`}
      actions={<ReviewActions request={request} space={space.data} onConflicts={setConflicts} />}
      meta={
        <>
          <ChangeRequestStatus status={request.status} />
          <span>{t("by", { name: request.createdBy.displayName })}</span>
          <Time value={request.updatedAt} />
        </>
      }
    >
      {request.outdated && isOpen(request) && conflicts.length === 0 ? (
        <div className="notice section">
          <p>{t("outdatedNotice")}</p>
          <Button size="small" onPress={() => void updateFromSpace(request, setConflicts)}>
            {t("update")}
          </Button>
        </div>
      ) : null}
      {conflicts.length === 0 ? null : (
        <ConflictList key={attempt} request={request} conflicts={conflicts} onResolved={setConflicts} />
      )}
      <ReviewList request={request} />
      <Loaded resource={changes}>
        {({ changes: list, more = 0 }) =>
          list.length === 0 ? (
            <NoChanges request={request} />
          ) : (
            <>
              <ChangeSummary changes={list} more={more} />
              <ChangeList key={list.map(idOf).join()} request={request} changes={list} />
            </>
          )
        }
      </Loaded>
    </ScreenFrame>
  )
}

export default ReviewScreen
