/** The comments on a page, in the right panel. */
import type { Comment, Space } from "@lectern/client/fetch"
import { useEffect, useState } from "react"
import { Panel } from "../../components/Panel.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import { useComments } from "../../data/comments.ts"
import type { DocumentPage, Place } from "../../data/content.ts"
import { blocksOf } from "../../document/DocumentView.tsx"
import { MessageSquare } from "../../icons/icons.gen.ts"
import { navigate, useAddress, withQuery } from "../../router/location.ts"
import { useStore } from "../../store/store.ts"
import { useStrings } from "../../strings/strings.ts"
import { findTop } from "./anchors.ts"
import { CommentThread } from "./CommentThread.tsx"
import { anchorStore } from "./commentAnchor.ts"
import { NewComment } from "./NewComment.tsx"
import { commentsStrings } from "./strings.ts"
import { type WrittenPage, writtenPageStore } from "./writtenPage.ts"
import "./comments.css"

/** Scrolls to the block of a comment. */
const showBlock = (key: string): void =>
  document.querySelector(`[data-block="${CSS.escape(key)}"]`)?.scrollIntoView({ block: "center" })

/** Where a comment is: on the page as a whole, on text that no longer exists, or at a place that can be shown. */
const locate = (
  comment: Comment,
  nodes: ReturnType<typeof blocksOf>,
  written: WrittenPage | undefined
): "page" | "detached" | { readonly show: () => void } => {
  const { node, quote } = comment.target
  if ((node ?? quote) === undefined) return "page"
  const hasPlace = written?.places.get(comment.id)
  if (written !== undefined && hasPlace !== undefined)
    return hasPlace ? { show: () => void written.editor.showComment(comment.id) } : "detached"
  const top = findTop(comment, nodes)
  return top === undefined ? "detached" : { show: () => showBlock(top) }
}

/** Returns comments in the order of the text that is being written; in their own order if none is. */
const inOrderOfText = (
  comments: ReadonlyArray<Comment>,
  written: WrittenPage | undefined
): ReadonlyArray<Comment> => {
  if (written === undefined) return comments
  const order = [...written.places.keys()]
  const indexOf = ({ id }: Comment): number => (order.includes(id) ? order.indexOf(id) : order.length)
  return comments.toSorted((one, other) => indexOf(one) - indexOf(other))
}

interface PanelProps {
  readonly place: Place
  readonly space: Space
  readonly page: DocumentPage
}

const StateFilter = ({
  status,
  onChange
}: {
  readonly status: Comment["status"]
  readonly onChange: (status: Comment["status"]) => void
}) => {
  const t = useStrings(commentsStrings)
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{t("state")}</legend>
      {(["open", "resolved"] as const).map((value) => (
        <label key={value} className="segment">
          <input type="radio" name="comments" checked={status === value} onChange={() => onChange(value)} />
          {t(value)}
        </label>
      ))}
    </fieldset>
  )
}

const CommentsPanel = ({ place, space, page }: PanelProps) => {
  const t = useStrings(commentsStrings)
  const address = useAddress()
  const comments = useComments(place, page.id)
  const anchor = useStore(anchorStore)
  const writtenPage = useStore(writtenPageStore)
  const written = writtenPage?.page === page.id ? writtenPage : undefined
  const named = address.query.get("comment") ?? undefined
  const namedStatus = comments.data?.find(({ id }) => id === named)?.status
  const [chosen, setChosen] = useState<Comment["status"]>()
  const status = chosen ?? namedStatus ?? "open"
  const nodes = blocksOf(page.document)
  const select = (id: string | undefined) => navigate(withQuery(address, "comment", id), { replace: true })

  useEffect(() => {
    if (namedStatus !== undefined)
      document.getElementById(`comment-${named}`)?.scrollIntoView({ block: "nearest" })
  }, [named, namedStatus])
  useEffect(() => () => anchorStore.set(undefined), [])

  const own = anchor?.page === page.id ? anchor : { page: page.id }
  return (
    <Panel title={t("comments")}>
      {space.permissions.comment ? (
        <NewComment
          place={place}
          organization={space.organization}
          anchor={own}
          autoFocus={(own.block ?? own.preview) !== undefined}
          onClearAnchor={() => anchorStore.set(undefined)}
          onPosted={(id) => {
            anchorStore.set(undefined)
            setChosen("open")
            select(id)
          }}
        />
      ) : (
        <p className="muted small">{t("noPermission")}</p>
      )}
      <StateFilter
        status={status}
        onChange={(value) => {
          setChosen(value)
          select(undefined)
        }}
      />
      <Loaded resource={comments}>
        {(all) => {
          const shown = inOrderOfText(
            all.filter((comment) => comment.status === status),
            written
          )
          if (shown.length === 0) {
            return status === "open" ? (
              <EmptyState icon={<MessageSquare />} title={t("empty")}>
                {space.permissions.comment ? t("emptyBody") : null}
              </EmptyState>
            ) : (
              <p className="muted">{t("emptyResolved")}</p>
            )
          }
          return (
            <div className="threads">
              {shown.map((comment) => {
                const location = locate(comment, nodes, written)
                return (
                  <CommentThread
                    key={comment.id}
                    place={place}
                    organization={space.organization}
                    comment={comment}
                    canResolve={space.permissions.edit}
                    isDetached={location === "detached"}
                    isCurrent={comment.id === named}
                    onShow={
                      typeof location === "string"
                        ? undefined
                        : () => {
                            select(comment.id)
                            location.show()
                          }
                    }
                  />
                )
              })}
            </div>
          )
        }}
      </Loaded>
    </Panel>
  )
}

export default CommentsPanel
