/** A comment with its replies and its actions. */
import type { Comment, CommentReply } from "@lectern/client/fetch"
import { useState } from "react"
import type { Action } from "../../actions/actions.ts"
import { ActionMenu } from "../../components/ActionMenu.tsx"
import { Avatar } from "../../components/Avatar.tsx"
import { Button } from "../../components/Button.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { Loaded, Skeleton } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { runChange, showFailure } from "../../data/change.ts"
import {
  type CommentName,
  commentsKey,
  deleteComment,
  editCommentText,
  loadCommentText,
  postReply,
  updateComment,
  useReplies
} from "../../data/comments.ts"
import type { Place } from "../../data/content.ts"
import { usePeople } from "../../data/people.ts"
import { Blocks } from "../../document/Blocks.tsx"
import { blocksOf } from "../../document/DocumentView.tsx"
import { CheckCheck } from "../../icons/icons.gen.ts"
import { shellStrings } from "../../strings/shell.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { CommentField } from "./CommentField.tsx"
import { displayMentions, textOfMentions } from "./mentions.ts"
import { commentsStrings } from "./strings.ts"

/** The place and the organization of a thread. */
interface ThreadContext {
  readonly place: Place
  readonly organization: string
}

interface EntryProps extends ThreadContext {
  readonly entry: Comment | CommentReply
  readonly name: CommentName
}

const removeEntry = (place: Place, name: CommentName) =>
  openConfirm({
    title: translate(commentsStrings, name.reply === undefined ? "deleteTitle" : "deleteReplyTitle"),
    body: translate(commentsStrings, name.reply === undefined ? "deleteBody" : "deleteReplyBody"),
    confirm: translate(commentsStrings, "delete"),
    run: () =>
      void runChange({
        send: () => deleteComment(place, name),
        message: translate(commentsStrings, "deleted"),
        failure: translate(commentsStrings, "deleteFailed"),
        invalidates: [commentsKey(place)]
      })
  })

/** The text of a comment or of a reply, which its author can edit. */
const Entry = ({ place, organization, entry, name }: EntryProps) => {
  const t = useStrings(commentsStrings)
  const shell = useStrings(shellStrings)
  const [editing, setEditing] = useState<string>()
  const nodes = blocksOf(entry.body.document)
  const hasMention = JSON.stringify(nodes).includes("mailto:")
  const people = usePeople(organization, hasMention || editing !== undefined ? "" : undefined)
  const { postedBy, postedAt, editedAt, permissions } = entry
  const edit = async () => {
    try {
      setEditing(await loadCommentText(place, name))
    } catch (error) {
      showFailure(t("loadFailed"), error)
    }
  }
  const actions: ReadonlyArray<Action> = [
    ...(permissions.edit ? [{ id: "edit", label: t("edit"), run: () => void edit() }] : []),
    ...(permissions.delete
      ? [{ id: "delete", label: t("delete"), isDangerous: true, run: () => removeEntry(place, name) }]
      : [])
  ]
  return (
    <div className="comment">
      <header className="comment-header">
        <Avatar name={postedBy.displayName} size="small" />
        <strong>{postedBy.displayName}</strong>
        <span className="muted small">
          <Time value={postedAt} />
          {editedAt === undefined ? null : ` · ${t("edited")}`}
        </span>
        <ActionMenu label={shell("moreActionsFor", { title: postedBy.displayName })} actions={actions} />
      </header>
      {editing === undefined || (people.data === undefined && people.isLoading) ? (
        <div className="comment-body document">
          <Blocks nodes={displayMentions(nodes, people.data ?? [])} />
        </div>
      ) : (
        <CommentField
          label={t("edit")}
          submit={t("save")}
          organization={organization}
          draftKey={`edit.${name.comment}.${name.reply ?? ""}`}
          initial={textOfMentions(editing, people.data ?? [])}
          autoFocus
          onSubmit={async (markdown) => {
            await editCommentText(place, name, markdown)
            setEditing(undefined)
          }}
          onCancel={() => setEditing(undefined)}
        />
      )}
    </div>
  )
}

const setResolved = (place: Place, comment: Comment, resolved: boolean) =>
  runChange({
    send: () => updateComment(place, comment.id, { resolved }),
    message: translate(commentsStrings, resolved ? "resolvedMessage" : "reopenedMessage"),
    failure: translate(commentsStrings, "stateFailed"),
    undo: () => updateComment(place, comment.id, { resolved: !resolved }),
    invalidates: [commentsKey(place)]
  })

/** Properties of {@link CommentThread}. */
export interface CommentThreadProps extends ThreadContext {
  readonly comment: Comment
  /** Whether the person can resolve the comment. */
  readonly canResolve: boolean
  /** Whether the block of the comment no longer exists. */
  readonly isDetached?: boolean
  /** Whether the address names the comment. */
  readonly isCurrent?: boolean
  /** Displays the place of the comment. */
  readonly onShow?: (() => void) | undefined
}

/** A comment with its replies. */
export const CommentThread = ({
  place,
  organization,
  comment,
  canResolve,
  isDetached = false,
  isCurrent = false,
  onShow
}: CommentThreadProps) => {
  const t = useStrings(commentsStrings)
  const [isReplying, setIsReplying] = useState(false)
  const [isOpen, setIsOpen] = useState(comment.status === "open")
  const replies = useReplies(place, comment, isOpen && comment.replies > 0)
  const isResolved = comment.status === "resolved"
  const preview = comment.target.quote?.text ?? comment.target.node?.preview
  return (
    <article
      id={`comment-${comment.id}`}
      className={`thread${isCurrent ? " is-current" : ""}${isResolved ? " is-resolved" : ""}`}
      aria-label={comment.postedBy.displayName}
    >
      {preview === undefined ? null : (
        <button
          type="button"
          className="thread-place"
          disabled={isDetached || onShow === undefined}
          onClick={onShow}
        >
          {preview}
        </button>
      )}
      {isDetached ? <p className="small muted">{t("detached")}</p> : null}
      <Entry place={place} organization={organization} entry={comment} name={{ comment: comment.id }} />
      {comment.replies > 0 && !isOpen ? (
        <Button size="small" variant="quiet" onPress={() => setIsOpen(true)}>
          {t("replies", { count: comment.replies })}
        </Button>
      ) : null}
      {isOpen && comment.replies > 0 ? (
        <Loaded resource={replies} skeleton={<Skeleton rows={2} />}>
          {(items) => (
            <div className="replies">
              {items.map((reply) => (
                <Entry
                  key={reply.id}
                  place={place}
                  organization={organization}
                  entry={reply}
                  name={{ comment: comment.id, reply: reply.id }}
                />
              ))}
            </div>
          )}
        </Loaded>
      ) : null}
      {isReplying ? (
        <CommentField
          label={t("replyTo", { name: comment.postedBy.displayName })}
          submit={t("reply")}
          organization={organization}
          draftKey={`reply.${comment.id}`}
          autoFocus
          onSubmit={async (markdown) => {
            await postReply(place, comment.id, markdown)
            setIsReplying(false)
            setIsOpen(true)
          }}
          onCancel={() => setIsReplying(false)}
        />
      ) : (
        <footer className="thread-actions">
          {comment.permissions.reply ? (
            <Button size="small" variant="quiet" onPress={() => setIsReplying(true)}>
              {t("reply")}
            </Button>
          ) : null}
          {canResolve ? (
            <Button
              size="small"
              variant="quiet"
              icon={<CheckCheck size={15} aria-hidden />}
              onPress={() => void setResolved(place, comment, !isResolved)}
            >
              {t(isResolved ? "reopen" : "resolve")}
            </Button>
          ) : null}
        </footer>
      )}
    </article>
  )
}
