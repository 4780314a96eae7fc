/** The review of a change request: what changes for readers, page by page, its reviews, and the merge. */
import type { ChangeRequest, Conflict, SemanticChange, Space } from "@lectern/client/fetch"
import { useState } from "react"
import { Button, ButtonLink } from "../../components/Button.tsx"
import { ChangeRequestStatus } from "../../components/ChangeRequestStatus.tsx"
import { HelpLink } from "../../components/HelpLink.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState, FailedState, Loaded, Skeleton } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { type RequestChanges, useChanges } from "../../data/changeRequests.ts"
import { flattenPages, usePages } from "../../data/content.ts"
import { useMergePreview } from "../../data/mergePreview.ts"
import { ChangeSummary } from "../../diff/ChangeSummary.tsx"
import { DifferenceList } from "../../diff/DifferenceList.tsx"
import { GitPullRequestArrow } from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { pagePath } from "../../router/pagePaths.ts"
import { useStrings } from "../../strings/strings.ts"
import { anchorOfBlock } from "../comments/anchors.ts"
import { PageDocumentProvider } from "../space/PageDocumentProvider.tsx"
import { isOpen, useCanChange, usePlace } from "../space/usePlace.ts"
import { BrokenLinks } from "./BrokenLinks.tsx"
import { SubjectField } from "./ChangeBar.tsx"
import { ConflictList } from "./ConflictList.tsx"
import { Description } from "./Description.tsx"
import {
  BlockComposer,
  CommentOnPage,
  Discussion,
  PageComments,
  type ReviewComments,
  useReviewComments
} from "./Discussion.tsx"
import { MergeChecks } from "./MergeChecks.tsx"
import { ReviewActions } from "./ReviewActions.tsx"
import { Reviewers, useRequestedReviewers, useReviews } from "./Reviewers.tsx"
import { reviewStrings } from "./reviewStrings.ts"
import { changesStrings } from "./strings.ts"
import { updateFromSpace } from "./updateFromSpace.ts"
import "./review.css"

const NoChanges = ({ request }: { readonly request: ChangeRequest }) => {
  const t = useStrings(changesStrings)
  return (
    <EmptyState
      icon={<GitPullRequestArrow />}
      title={t("noChanges")}
      actions={
        <>
          <ButtonLink to={`/spaces/${request.space}/changes/${request.number}`}>{t("goToPages")}</ButtonLink>
          <HelpLink section="changes" />
        </>
      }
    >
      {t("noChangesBody")}
    </EmptyState>
  )
}

const idOf = (change: SemanticChange): string =>
  "page" in change ? change.page.id : "file" in change ? change.file.id : change.reusableContent.id

interface ChangesProps {
  readonly request: ChangeRequest
  readonly review: ReviewComments
  readonly found: RequestChanges
}

/** The changes, page by page, each with its comments. */
const Changes = ({ request, review, found }: ChangesProps) => {
  const { changes: list, more = 0, before, after } = found
  const t = useStrings(changesStrings)
  const place = { spaceId: request.space, change: String(request.number) }
  const pages = usePages(place).data ?? []
  const positions = new Map(flattenPages(pages).map(({ id }, index) => [id, index]))
  // Pages in the order of their tree, then changes outside of it: removed pages, files and reusable contents.
  const positionOf = (change: SemanticChange) => positions.get(idOf(change)) ?? positions.size
  const ordered = list.toSorted((one, other) => positionOf(one) - positionOf(other))
  const comparison = {
    spaceId: request.space,
    before,
    after,
    pagePath: (page: string) =>
      pagePath({ spaceId: request.space, change: String(request.number) }, { id: page })
  }
  return (
    <PageDocumentProvider place={place}>
      {more === 0 ? null : <p className="muted small">{t("moreChanges", { count: more })}</p>}
      <DifferenceList
        key={list.map(idOf).join()}
        comparison={comparison}
        changes={ordered}
        controls={({ id }) => <CommentOnPage page={id} review={review} />}
        footer={({ id }) => <PageComments page={id} review={review} />}
        onComment={
          review.space.permissions.comment
            ? (page) => ({
                begin: (block) => review.setAnchor(anchorOfBlock(page, block)),
                composerOf: (key) => <BlockComposer page={page} block={key} review={review} />
              })
            : undefined
        }
      />
    </PageDocumentProvider>
  )
}

const noConflicts: ReadonlyArray<Conflict> = []

interface LoadedReviewProps {
  readonly request: ChangeRequest
  readonly space: Space
}

/** Returns the key of the text on a merged change request. */
const mergedText = ({ undoneBy, revisionMerged }: ChangeRequest, { revision, urls }: Space) => {
  if (undoneBy !== undefined) return "mergedUndone"
  if (revision !== revisionMerged) return "mergedBefore"
  return urls.published === undefined ? "mergedWithoutSite" : "mergedInto"
}

const LoadedReview = ({ request, space }: LoadedReviewProps) => {
  const t = useStrings(changesStrings)
  const reviewing = useStrings(reviewStrings)
  const changes = useChanges(request.space, String(request.number))
  const reviews = useReviews(request)
  const requested = useRequestedReviewers(request)
  const review = useReviewComments(request, space)
  const preview = useMergePreview(request).data
  // The conflicts stay displayed while they are resolved, although the edits that resolve them change the preview.
  const [held, setHeld] = useState<ReadonlyArray<Conflict>>()
  const conflicts = held ?? preview?.conflicts ?? noConflicts
  const subject = request.subject === "" ? t("untitled") : request.subject
  const known = { request, space, reviews: reviews.data ?? [], requested: requested.data ?? [] }
  const canEdit = useCanChange(space.permissions, request)
  const list = changes.data?.changes ?? []
  const isCurrent = space.revision === request.revisionMerged
  return (
    <ScreenFrame
      title={subject}
      heading={
        canEdit && isOpen(request) ? <SubjectField key={request.id} request={request} isHeading /> : undefined
      }
      above={
        <nav className="breadcrumbs">
          <Link to={`/spaces/${space.id}`}>{space.title}</Link>
          <span aria-hidden>/</span>
          <Link to={`/spaces/${space.id}/changes?status=${request.status}`}>{t("changeRequests")}</Link>
          <span aria-hidden>/</span>
          <span>#{request.number}</span>
        </nav>
      }
      actions={<ReviewActions request={request} space={space} preview={preview} />}
      meta={
        <>
          <ChangeRequestStatus request={request} />
          <span>{t("by", { name: request.createdBy.displayName })}</span>
          <Time value={request.updatedAt} />
        </>
      }
    >
      {request.status === "merged" ? (
        <div className={`notice section ${isCurrent ? "notice-success" : ""}`}>
          <p>{reviewing(mergedText(request, space))}</p>
          <ButtonLink size="small" to={`/spaces/${space.id}/history`}>
            {reviewing("history")}
          </ButtonLink>
        </div>
      ) : null}
      {request.outdated && isOpen(request) && conflicts.length === 0 ? (
        <div className="notice section">
          <p>{t("outdatedNotice")}</p>
          {canEdit ? (
            <Button size="small" onPress={() => void updateFromSpace(request)}>
              {t("update")}
            </Button>
          ) : null}
        </div>
      ) : null}
      {conflicts.length === 0 ? null : (
        <ConflictList
          key={JSON.stringify(conflicts)}
          request={request}
          conflicts={conflicts}
          canResolve={canEdit}
          onHold={setHeld}
        />
      )}
      <div className="review-layout">
        <div className="review-main">
          <Loaded resource={changes}>
            {(found) =>
              found.changes.length === 0 ? (
                <NoChanges request={request} />
              ) : (
                <>
                  <section className="section" aria-label={reviewing("summary")}>
                    <h2>{reviewing("summary")}</h2>
                    <ChangeSummary changes={found.changes} />
                    {isOpen(request) ? <BrokenLinks request={request} /> : null}
                  </section>
                  <Changes request={request} review={review} found={found} />
                </>
              )
            }
          </Loaded>
          <Discussion
            review={review}
            changed={new Set(list.flatMap((change) => ("page" in change ? [change.page.id] : [])))}
          />
        </div>
        <aside className="review-side" aria-label={reviewing("reviews")}>
          <Description request={request} canEdit={canEdit && isOpen(request)} />
          <Reviewers {...known} />
          {isOpen(request) ? <MergeChecks {...known} preview={preview} /> : null}
        </aside>
      </div>
    </ScreenFrame>
  )
}

/** The review of a change request. */
const ReviewScreen = ({
  params
}: {
  readonly params: { readonly space: string; readonly number: string }
}) => {
  const { space, changeRequest } = usePlace(params.space, params.number)
  const { data: request, error, reload } = changeRequest
  if (request !== undefined && space.data !== undefined) {
    return <LoadedReview request={request} space={space.data} />
  }
  const failure = error ?? space.error
  if (failure === undefined) return <Skeleton kind="text" rows={8} />
  return <FailedState error={failure} onRetry={error === undefined ? space.reload : reload} />
}

export default ReviewScreen
