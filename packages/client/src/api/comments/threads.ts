/** The operations on threads, declared once for spaces and for change requests. */
import {
  Comment,
  CommentId,
  CommentOptions,
  CommentReply,
  CommentReplyId,
  ListComments,
  Member,
  PostComment,
  PostReply,
  pageOf,
  UpdateComment,
  UpdateReply
} from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe } from "../shared/describe.ts"
import type { PathParams } from "../shared/pathParameters.ts"
import { page } from "../shared/queryParameters.ts"

/** How what was said is shown. */
const options = {
  format: CommentOptions.fields.format
}

/** Which comments are asked for. */
const list = {
  ...page,
  ...options,
  order: ListComments.fields.order,
  status: ListComments.fields.status,
  targetPage: ListComments.fields.targetPage,
  authors: ListComments.fields.authors
}

/** The path beside that of the comments, of those who posted them. */
type Commenters<Path extends string> = Path extends `${infer Above}/comments` ? `${Above}/commenters` : never

/**
 * The operations on the comments at a path. Their ids end in `suffix`; `subject` are the parameters of the path, and
 * `what` is what is commented, in words.
 */
export const threads = <
  const Suffix extends string,
  const Path extends `/${string}/comments`,
  const Subject extends PathParams
>(
  suffix: Suffix,
  path: Path,
  subject: Subject,
  what: string
) => {
  const comment = { ...subject, commentId: CommentId }
  const reply = { ...comment, commentReplyId: CommentReplyId }
  return [
    HttpApiEndpoint.get(
      `listCommenters${suffix}` as const,
      path.replace(/comments$/, "commenters") as Commenters<Path>,
      { params: subject, query: page, success: pageOf(Member), error: reading }
    ).annotateMerge(
      describe(
        `List the commenters of ${what}`,
        "The members who said something, those who joined last first."
      )
    ),
    HttpApiEndpoint.get(`listComments${suffix}` as const, path, {
      params: subject,
      query: list,
      success: pageOf(Comment),
      error: reading
    }).annotateMerge(
      describe(`List the comments on ${what}`, "By when they were posted, newest first by default.")
    ),
    HttpApiEndpoint.post(`postComment${suffix}` as const, path, {
      params: subject,
      payload: PostComment,
      success: Comment,
      error: changing
    }).annotateMerge(
      describe(`Comment on ${what}`, "On its content as a whole, on a page, or on a node of a page.")
    ),
    HttpApiEndpoint.get(`getComment${suffix}` as const, `${path}/:commentId` as const, {
      params: comment,
      query: options,
      success: Comment,
      error: reading
    }).annotateMerge(describe(`Get a comment on ${what}`, "The comment, with its reactions.")),
    HttpApiEndpoint.put(`updateComment${suffix}` as const, `${path}/:commentId` as const, {
      params: comment,
      payload: UpdateComment,
      success: Comment,
      error: editing
    }).annotateMerge(
      describe(
        `Update a comment on ${what}`,
        "Changes what it says, reacts to it, resolves it or opens it again."
      )
    ),
    HttpApiEndpoint.delete(`deleteComment${suffix}` as const, `${path}/:commentId` as const, {
      params: comment,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(describe(`Delete a comment on ${what}`, "With the replies to it.")),
    HttpApiEndpoint.get(`listCommentReplies${suffix}` as const, `${path}/:commentId/replies` as const, {
      params: comment,
      query: { ...page, ...options },
      success: pageOf(CommentReply),
      error: reading
    }).annotateMerge(
      describe(`List the replies to a comment on ${what}`, "In the order in which they were posted.")
    ),
    HttpApiEndpoint.post(`postCommentReply${suffix}` as const, `${path}/:commentId/replies` as const, {
      params: comment,
      query: options,
      payload: PostReply,
      success: CommentReply,
      error: changing
    }).annotateMerge(describe(`Reply to a comment on ${what}`, "At the end of its thread.")),
    HttpApiEndpoint.get(
      `getCommentReply${suffix}` as const,
      `${path}/:commentId/replies/:commentReplyId` as const,
      { params: reply, query: options, success: CommentReply, error: reading }
    ).annotateMerge(describe(`Get a reply to a comment on ${what}`, "The reply, with its reactions.")),
    HttpApiEndpoint.put(
      `updateCommentReply${suffix}` as const,
      `${path}/:commentId/replies/:commentReplyId` as const,
      { params: reply, payload: UpdateReply, success: CommentReply, error: editing }
    ).annotateMerge(
      describe(`Update a reply to a comment on ${what}`, "Changes what it says, or reacts to it.")
    ),
    HttpApiEndpoint.delete(
      `deleteCommentReply${suffix}` as const,
      `${path}/:commentId/replies/:commentReplyId` as const,
      { params: reply, success: HttpApiSchema.Empty(205), error: editing }
    ).annotateMerge(describe(`Delete a reply to a comment on ${what}`, "The others stay."))
  ] as const
}
