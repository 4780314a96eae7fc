/** The reviews of a change request. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { Avatar } from "../../components/Avatar.tsx"
import { Time } from "../../components/Time.tsx"
import { changeKey } from "../../data/changeRequests.ts"
import { loadAll, pageSize } from "../../data/organization.ts"
import { useResource } from "../../data/useResource.ts"
import { client } from "../../session.ts"
import { useStrings } from "../../strings/strings.ts"
import { changesStrings } from "./strings.ts"

/** The reviews of a change request, newest first. Nothing is displayed for a draft without reviews. */
export const ReviewList = ({ request }: { readonly request: ChangeRequest }) => {
  const t = useStrings(changesStrings)
  const { space, number, id } = request
  const { data: reviews = [] } = useResource(`${changeKey(space, String(number))}/reviews`, (signal) =>
    loadAll((cursor) =>
      client.reviews.getReviewsByChangeRequestId(
        { params: { spaceId: space, changeRequestId: id }, query: { limit: pageSize, ...cursor } },
        { signal }
      )
    )
  )
  if (reviews.length === 0 && request.status !== "open") return null
  return (
    <section className="section">
      <h2>{t("reviews")}</h2>
      {reviews.length === 0 ? (
        <p className="muted">{t("noReviews")}</p>
      ) : (
        <ul className="reviews">
          {reviews.map(({ id: reviewId, reviewer, status, outdated, comment, createdAt }) => (
            <li key={reviewId} className={outdated ? "review is-outdated" : "review"}>
              <Avatar name={reviewer.displayName} size="small" />
              <div>
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
                {comment?.body.markdown === undefined ? null : <p>{comment.body.markdown}</p>}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
