/** The people whose review is requested, and the reviews. */
import type {
  ChangeRequest,
  ChangeRequestReview,
  RequestedReviewer,
  Space,
  User
} from "@lectern/client/fetch"
import { useActions } from "../../actions/actions.ts"
import { Avatar } from "../../components/Avatar.tsx"
import { Button, IconButton } from "../../components/Button.tsx"
import { Time } from "../../components/Time.tsx"
import { runChange } from "../../data/change.ts"
import { changeKey } from "../../data/changeRequests.ts"
import { loadAll, pageSize } from "../../data/organization.ts"
import { type Resource, useResource } from "../../data/useResource.ts"
import { Blocks } from "../../document/Blocks.tsx"
import { blocksOf } from "../../document/DocumentView.tsx"
import { UserPlus, X } from "../../icons/icons.gen.ts"
import { client } from "../../session.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { isOpen, useCanChange } from "../space/usePlace.ts"
import { openRequestReviewers } from "./openRequestReviewers.ts"
import { keysOfRequest, requestReviewers } from "./requestChanges.ts"
import { reviewStrings } from "./reviewStrings.ts"

const keyOf = ({ space, number }: ChangeRequest): string => changeKey(space, String(number))

const paramsOf = ({ space, id }: ChangeRequest) => ({ spaceId: space, changeRequestId: id })

/** The reviews of a change request, newest first. */
export const useReviews = (request: ChangeRequest): Resource<ReadonlyArray<ChangeRequestReview>> =>
  useResource(`${keyOf(request)}/reviews`, (signal) =>
    loadAll((cursor) =>
      client.reviews.getReviewsByChangeRequestId(
        { params: paramsOf(request), query: { limit: pageSize, format: "document", ...cursor } },
        { signal }
      )
    )
  )

/** The people who are requested to review, and have not yet. */
export const useRequestedReviewers = (request: ChangeRequest): Resource<ReadonlyArray<RequestedReviewer>> =>
  useResource(`${keyOf(request)}/reviewers`, async (signal) => {
    const { items } = await client.reviews.getRequestedReviewersByChangeRequestId(
      { params: paramsOf(request) },
      { signal }
    )
    return items
  })

const removeReviewer = (request: ChangeRequest, user: User) =>
  runChange({
    send: () =>
      client.reviews.removeRequestedReviewerFromChangeRequest({
        params: { ...paramsOf(request), userId: user.id }
      }),
    message: translate(reviewStrings, "reviewerRemoved", { name: user.displayName }),
    failure: translate(reviewStrings, "reviewerNotRemoved"),
    undo: () => requestReviewers(request, [user.id]),
    invalidates: keysOfRequest(request)
  })

const ReviewItem = ({ review }: { readonly review: ChangeRequestReview }) => {
  const t = useStrings(reviewStrings)
  const { reviewer, status, outdated, comment, createdAt } = review
  return (
    <li className={outdated ? "review is-outdated" : "review"}>
      <Avatar name={reviewer.displayName} size="small" />
      <div className="review-text">
        <p className="row">
          <strong>{reviewer.displayName}</strong>
          <span className={status === "approved" ? "tag tag-success" : "tag tag-danger"}>
            {status === "approved" ? t("approved") : t("changesRequested")}
          </span>
          {outdated ? <span className="tag">{t("outdated")}</span> : null}
          <span className="muted small">
            <Time value={createdAt} />
          </span>
        </p>
        {comment?.body.document === undefined ? null : (
          <div className="document comment-body">
            <Blocks nodes={blocksOf(comment.body.document)} />
          </div>
        )}
      </div>
    </li>
  )
}

/** Properties of {@link Reviewers}. */
export interface ReviewersProps {
  readonly request: ChangeRequest
  readonly space: Space
  readonly reviews: ReadonlyArray<ChangeRequestReview>
  readonly requested: ReadonlyArray<RequestedReviewer>
}

/** The reviews of a change request, and the requested reviewers. */
export const Reviewers = ({ request, space, reviews, requested }: ReviewersProps) => {
  const t = useStrings(reviewStrings)
  const canChange = useCanChange(space.permissions, request)
  const canAsk = isOpen(request) && canChange
  useActions(
    canAsk
      ? [{ id: "change.reviewers", label: t("askReviewers"), run: () => openRequestReviewers(request) }]
      : []
  )
  const isEmpty = reviews.length === 0 && requested.length === 0
  return (
    <section className="section" aria-label={t("reviews")}>
      <header className="section-header">
        <h2>{t("reviews")}</h2>
        {canAsk ? (
          <Button
            size="small"
            icon={<UserPlus size={15} aria-hidden />}
            onPress={() => openRequestReviewers(request)}
          >
            {t("askReviewers")}
          </Button>
        ) : null}
      </header>
      {isEmpty ? <p className="muted">{t("noReviews")}</p> : null}
      <ul className="reviews">
        {requested.map(({ user, createdAt }) => (
          <li key={user.id} className="review">
            <Avatar name={user.displayName} size="small" />
            <div className="review-text">
              <p className="row">
                <strong>{user.displayName}</strong>
                <span className="tag">{t("requested")}</span>
                <span className="muted small">
                  <Time value={createdAt} />
                </span>
              </p>
            </div>
            {canAsk ? (
              <IconButton
                label={t("removeReviewer", { name: user.displayName })}
                icon={<X size={14} />}
                onPress={() => void removeReviewer(request, user)}
              />
            ) : null}
          </li>
        ))}
        {reviews.map((review) => (
          <ReviewItem key={review.id} review={review} />
        ))}
      </ul>
    </section>
  )
}
