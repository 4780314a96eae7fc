/** The comments of a change request: on the whole, and on its pages. */
import type { ChangeRequest, Comment, Space } from "@lectern/client/fetch"
import { useEffect, useRef, useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Loaded, Skeleton } from "../../components/states.tsx"
import { useComments } from "../../data/comments.ts"
import type { Place } from "../../data/content.ts"
import type { Resource } from "../../data/useResource.ts"
import { MessageSquarePlus } from "../../icons/icons.gen.ts"
import { useAddress } from "../../router/location.ts"
import { useStrings } from "../../strings/strings.ts"
import type { Anchor } from "../comments/anchors.ts"
import { CommentThread } from "../comments/CommentThread.tsx"
import { NewComment } from "../comments/NewComment.tsx"
import { commentsStrings } from "../comments/strings.ts"
import { keepInView } from "./keepInView.ts"
import { reviewStrings } from "./reviewStrings.ts"
import "../comments/comments.css"

/** The comments of a change request, and the place that one is being written on. */
export interface ReviewComments {
  readonly place: Place
  readonly space: Space
  readonly comments: Resource<ReadonlyArray<Comment>>
  readonly anchor: Anchor | undefined
  readonly setAnchor: (anchor: Anchor | undefined) => void
}

/** Returns the comments of a change request. */
export const useReviewComments = (request: ChangeRequest, space: Space): ReviewComments => {
  const place = { spaceId: request.space, change: String(request.number) }
  const comments = useComments(place, undefined)
  const [anchor, setAnchor] = useState<Anchor>()
  return { place, space, comments, anchor, setAnchor }
}

const Threads = ({
  items,
  review
}: {
  readonly items: ReadonlyArray<Comment>
  readonly review: ReviewComments
}) => (
  <div className="threads">
    {items.map((comment) => (
      <CommentThread
        key={comment.id}
        place={review.place}
        organization={review.space.organization}
        comment={comment}
        canResolve={review.space.permissions.edit}
      />
    ))}
  </div>
)

/** The button that begins a comment on a page. */
export const CommentOnPage = ({
  page,
  review
}: {
  readonly page: string
  readonly review: ReviewComments
}) => {
  const t = useStrings(commentsStrings)
  if (!review.space.permissions.comment) return null
  return (
    <Button
      size="small"
      variant="quiet"
      icon={<MessageSquarePlus size={15} aria-hidden />}
      onPress={() => review.setAnchor({ page })}
    >
      {t("comment")}
    </Button>
  )
}

/** The field of a new comment, at the place that it is on. */
const Composer = ({ review, anchor }: { readonly review: ReviewComments; readonly anchor: Anchor }) => {
  const { place, space, setAnchor } = review
  return (
    <NewComment
      place={place}
      organization={space.organization}
      anchor={anchor}
      autoFocus
      onClearAnchor={() => setAnchor(anchor.page === undefined ? undefined : { page: anchor.page })}
      onPosted={() => setAnchor(undefined)}
      onCancel={() => setAnchor(undefined)}
    />
  )
}

/** The field of a new comment below the block that it is on, while it is written. */
export const BlockComposer = ({
  page,
  block,
  review
}: {
  readonly page: string
  readonly block: string
  readonly review: ReviewComments
}) => {
  const { anchor } = review
  return anchor?.page === page && anchor.block === block ? <Composer review={review} anchor={anchor} /> : null
}

/** The comments on a page, and the field of a new one while it is written. */
export const PageComments = ({
  page,
  review
}: {
  readonly page: string
  readonly review: ReviewComments
}) => {
  const { comments, anchor } = review
  const items = (comments.data ?? []).filter(({ target }) => target.page?.id === page)
  return (
    <>
      {items.length === 0 ? null : <Threads items={items} review={review} />}
      {anchor?.page === page && anchor.block === undefined ? (
        <Composer review={review} anchor={anchor} />
      ) : null}
    </>
  )
}

/** The comments on a change request as a whole, and on pages that it does not change. Comments of reviews are among the reviews. */
export const Discussion = ({
  review,
  changed
}: {
  readonly review: ReviewComments
  /** The ids of the pages that are displayed with their comments. */
  readonly changed: ReadonlySet<string>
}) => {
  const t = useStrings(reviewStrings)
  const { place, space, comments } = review
  const section = useRef<HTMLElement>(null)
  // Notifications of comments open the screen with this parameter: the discussion is below all changes.
  const isWanted = useAddress().query.get("panel") === "comments"
  useEffect(() => {
    if (isWanted && section.current !== null) return keepInView(section.current)
    return undefined
  }, [isWanted])
  return (
    <section ref={section} className="section" aria-label={t("discussion")}>
      <h2>{t("discussion")}</h2>
      <Loaded resource={comments} skeleton={<Skeleton rows={2} />}>
        {(all) => {
          const items = all.filter(
            ({ target }) =>
              target.review === undefined && (target.page === undefined || !changed.has(target.page.id))
          )
          return items.length === 0 ? (
            <p className="muted">{t("noDiscussion")}</p>
          ) : (
            <Threads items={items} review={review} />
          )
        }}
      </Loaded>
      {space.permissions.comment ? (
        <NewComment place={place} organization={space.organization} anchor={{}} />
      ) : null}
    </section>
  )
}
