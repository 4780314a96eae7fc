/** The comments of a page, over the API. The quoted text of a comment is the quote that its Markdown begins with. */
import type { FetchClient } from "@lectern/client/fetch"
import type { CommentAnchor, CommentReply, CommentsBackend, CommentThread } from "../EditorBackend.ts"
import { failureOf } from "./failures.ts"

/** The page whose comments are read and posted. */
export interface CommentsOptions {
  readonly client: FetchClient
  readonly space: string
  readonly page: string
  readonly changeRequest?: string
}

interface ApiComment {
  readonly id: string
  readonly postedBy: { readonly displayName: string }
  readonly postedAt: unknown
  readonly body: { readonly markdown?: string }
}

interface ApiThread extends ApiComment {
  readonly status: "open" | "resolved"
  readonly replies: number
  readonly target: { readonly node?: { readonly id: string } }
}

const timeOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

const replyOf = ({ id, postedBy, postedAt, body }: ApiComment): CommentReply => ({
  id,
  author: postedBy.displayName,
  text: body.markdown ?? "",
  postedAt: timeOf(postedAt)
})

const quotePattern = /^((?:> ?[^\n]*\n)+)\n?([\s\S]*)$/

/** Divides the Markdown of a comment into the text that it quotes and its own text. */
export const dividedComment = (markdown: string): { readonly quote?: string; readonly text: string } => {
  const match = quotePattern.exec(markdown)
  if (match === null) return { text: markdown }
  const quote = match[1]!
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/^> ?/, ""))
    .join("\n")
  return { quote, text: match[2]!.trim() }
}

const threadOf = (comment: ApiThread, replies: ReadonlyArray<CommentReply>): CommentThread => {
  const { quote, text } = dividedComment(comment.body.markdown ?? "")
  const block = comment.target.node?.id
  return {
    ...replyOf(comment),
    text,
    anchor: {
      ...(block === undefined ? {} : { block }),
      ...(quote === undefined ? {} : { quote: { text: quote, before: "", after: "" } })
    },
    isResolved: comment.status === "resolved",
    replies
  }
}

const quoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n")

const mostComments = 100

/** Creates the comments of a page. */
export const makeComments = ({ client, space, page, changeRequest }: CommentsOptions): CommentsBackend => {
  const of = { spaceId: space }
  const ofChange = { spaceId: space, changeRequestId: changeRequest ?? "" }
  const isChange = changeRequest !== undefined
  const attempt = async <A>(call: () => Promise<A>): Promise<A> => {
    try {
      return await call()
    } catch (error) {
      throw await failureOf(error)
    }
  }
  const repliesOf = async ({ id, replies }: ApiThread): Promise<ReadonlyArray<CommentReply>> => {
    if (replies === 0) return []
    const { items } = isChange
      ? await client.changeRequestComments.listCommentRepliesInChangeRequest({
          params: { ...ofChange, commentId: id }
        })
      : await client.comments.listCommentRepliesInSpace({ params: { ...of, commentId: id } })
    return (items as unknown as ReadonlyArray<ApiComment>).map(replyOf)
  }
  return {
    list: (signal) =>
      attempt(async () => {
        const query = {
          targetPage: page,
          limit: mostComments,
          status: "open" as const,
          format: "markdown" as const
        }
        const { items } = isChange
          ? await client.changeRequestComments.listCommentsInChangeRequest(
              { params: ofChange, query },
              { signal }
            )
          : await client.comments.listCommentsInSpace({ params: of, query }, { signal })
        const found = items as unknown as ReadonlyArray<ApiThread>
        return Promise.all(found.map(async (comment) => threadOf(comment, await repliesOf(comment))))
      }),
    post: (anchor: CommentAnchor, text) =>
      attempt(async () => {
        const markdown = anchor.quote === undefined ? text : `${quoted(anchor.quote.text)}\n\n${text}`
        const payload = {
          body: { markdown },
          page,
          ...(anchor.block === undefined ? {} : { node: anchor.block })
        }
        const posted = isChange
          ? await client.changeRequestComments.postCommentInChangeRequest({ params: ofChange, payload })
          : await client.comments.postCommentInSpace({ params: of, payload })
        return { ...threadOf(posted as unknown as ApiThread, []), anchor }
      }),
    reply: (thread, text) =>
      attempt(async () => {
        const payload = { body: { markdown: text } }
        const reply = isChange
          ? await client.changeRequestComments.postCommentReplyInChangeRequest({
              params: { ...ofChange, commentId: thread },
              payload
            })
          : await client.comments.postCommentReplyInSpace({ params: { ...of, commentId: thread }, payload })
        return replyOf(reply as unknown as ApiComment)
      }),
    resolve: (thread, isResolved) =>
      attempt(async () => {
        const payload = { resolved: isResolved }
        if (isChange)
          await client.changeRequestComments.updateCommentInChangeRequest({
            params: { ...ofChange, commentId: thread },
            payload
          })
        else await client.comments.updateCommentInSpace({ params: { ...of, commentId: thread }, payload })
      })
  }
}
