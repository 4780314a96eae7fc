/** The field of a new comment, with the words or the block that it is on. */
import { X } from "lucide-react"
import { IconButton } from "../../components/Button.tsx"
import { postComment } from "../../data/comments.ts"
import type { Place } from "../../data/content.ts"
import { useStrings } from "../../strings/strings.ts"
import type { Anchor } from "./anchors.ts"
import { CommentField } from "./CommentField.tsx"
import { commentsStrings } from "./strings.ts"

/** Properties of {@link NewComment}. */
export interface NewCommentProps {
  readonly place: Place
  readonly organization: string
  readonly anchor: Anchor
  readonly autoFocus?: boolean
  readonly isPrimary?: boolean
  /** Makes the comment one on the page as a whole. */
  readonly onClearAnchor?: () => void
  readonly onPosted?: (comment: string) => void
  readonly onCancel?: () => void
}

/** The field of a new comment. */
export const NewComment = ({
  place,
  organization,
  anchor,
  autoFocus = false,
  isPrimary = false,
  onClearAnchor,
  onPosted,
  onCancel
}: NewCommentProps) => {
  const t = useStrings(commentsStrings)
  const { page, block, quote } = anchor
  return (
    <div className="new-comment">
      {block === undefined ? null : (
        <div className="thread-place">
          <span>{quote?.text ?? t("onBlock")}</span>
          {onClearAnchor === undefined ? null : (
            <IconButton label={t("cancel")} icon={<X size={14} />} onPress={onClearAnchor} />
          )}
        </div>
      )}
      <CommentField
        key={`${page ?? ""} ${block ?? ""}`}
        label={t("newComment")}
        submit={t("comment")}
        organization={organization}
        draftKey={`${place.spaceId}.${place.change ?? ""}.${page ?? ""}.${block ?? ""}`}
        autoFocus={autoFocus}
        isPrimary={isPrimary}
        onSubmit={async (markdown) => {
          const comment = await postComment(place, {
            body: { markdown },
            ...(page === undefined ? {} : { page }),
            ...(block === undefined ? {} : { node: block }),
            ...(quote === undefined ? {} : { quote })
          })
          onPosted?.(comment.id)
        }}
        {...(onCancel === undefined ? {} : { onCancel })}
      />
    </div>
  )
}
