/** The comments of a page, over the API. */
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
  readonly target: {
    readonly node?: { readonly id: string; readonly preview?: string }
    readonly quote?: { readonly text: string; readonly before?: string; readonly after?: string }
  }
}

const timeOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

const replyOf = ({ id, postedBy, postedAt, body }: ApiComment): CommentReply => ({
  id,
  author: postedBy.displayName,
  text: body.markdown ?? "",
  postedAt: timeOf(postedAt)
})

const anchorOf = ({ node, quote }: ApiThread["target"]): CommentAnchor => ({
  ...(node === undefined ? {} : { block: node.id }),
  ...(node?.preview === undefined ? {} : { preview: node.preview }),
  ...(quote === undefined
    ? {}
    : { quote: { text: quote.text, before: quote.before ?? "", after: quote.after ?? "" } })
})

const threadOf = (comment: ApiThread, replies: ReadonlyArray<CommentReply>): CommentThread => ({
  ...replyOf(comment),
  anchor: anchorOf(comment.target),
  isResolved: comment.status === "resolved",
  replies
})

/** The bodies of requests that post a comment: on the node, or by its text if the saved document does not have the node. */
const payloadsOf = (page: string, { block, preview, quote }: CommentAnchor, markdown: string) => {
  const onPage = { body: { markdown }, page, ...(quote === undefined ? {} : { quote }) }
  const byText =
    quote !== undefined || preview === undefined || preview === ""
      ? onPage
      : { ...onPage, quote: { text: preview } }
  return block === undefined ? [byText] : [{ ...onPage, node: block }, byText]
}

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
  const postComment = async (payload: ReturnType<typeof payloadsOf>[number]): Promise<ApiThread> =>
    (isChange
      ? await client.changeRequestComments.postCommentInChangeRequest({ params: ofChange, payload })
      : await client.comments.postCommentInSpace({ params: of, payload })) as unknown as ApiThread
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
        const [payload, byText] = payloadsOf(page, anchor, text)
        const posted = await postComment(payload!).catch((error: unknown) => {
          if (byText === undefined || (error as { readonly _tag?: string })._tag !== "InvalidInput")
            throw error
          return postComment(byText)
        })
        return { ...threadOf(posted, []), anchor }
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
