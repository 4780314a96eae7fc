/** The field of a new comment, with the words or the block that it is on. */

import { IconButton } from "../../components/Button.tsx"
import type { Place } from "../../data/content.ts"
import { X } from "../../icons/icons.gen.ts"
import { useStrings } from "../../strings/strings.ts"
import type { Anchor } from "./anchors.ts"
import { CommentField } from "./CommentField.tsx"
import { commentsStrings } from "./strings.ts"
import { postAt } from "./writtenPage.ts"

const maximumQuoted = 80

/** Returns the first words of text that is longer than a line. */
const firstWords = (text: string): string =>
  text.length <= maximumQuoted ? text : `${text.slice(0, text.lastIndexOf(" ", maximumQuoted))} …`

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
  const { page, block, preview, quote } = anchor
  const key = block ?? preview ?? ""
  return (
    <div className="new-comment">
      {key === "" ? null : (
        <div className="thread-place">
          <span>{quote?.text ?? (preview === undefined ? t("onBlock") : firstWords(preview))}</span>
          {onClearAnchor === undefined ? null : (
            <IconButton label={t("cancel")} icon={<X size={14} />} onPress={onClearAnchor} />
          )}
        </div>
      )}
      <CommentField
        key={`${page ?? ""} ${key}`}
        label={t("newComment")}
        submit={t("comment")}
        organization={organization}
        draftKey={`${place.spaceId}.${place.change ?? ""}.${page ?? ""}.${key}`}
        autoFocus={autoFocus}
        isPrimary={isPrimary}
        onSubmit={async (markdown) => {
          const comment = await postAt(place, anchor, markdown)
          onPosted?.(comment.id)
        }}
        {...(onCancel === undefined ? {} : { onCancel })}
      />
    </div>
  )
}
