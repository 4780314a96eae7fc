import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import type * as Schema from "effect/Schema"
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
} from "../../index.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

/** The parameters of operations that return comments. */
const options = {
  format: CommentOptions.fields.format
}

/** The parameters of lists of comments. */
const listParameters = {
  ...page,
  ...options,
  order: ListComments.fields.order,
  status: ListComments.fields.status,
  targetPage: ListComments.fields.targetPage,
  authors: ListComments.fields.authors
}

/** The path of commenters: that of comments with another last segment. */
type Commenters<Path extends string> = Path extends `${infer Above}/comments` ? `${Above}/commenters` : never

/**
 * Declares the operations on comments below a path. `suffix` is the end of their ids, `target` has the parameters of the path,
 * and `targetName` is the name of the target in summaries, such as `a space`.
 */
export const threads = <
  const Suffix extends string,
  const Path extends `/${string}/comments`,
  const Target extends { readonly [name: string]: Schema.Codec<string, string> }
>(
  suffix: Suffix,
  path: Path,
  target: Target,
  targetName: string
) => {
  const comment = { ...target, commentId: CommentId }
  const reply = { ...comment, commentReplyId: CommentReplyId }
  return [
    HttpApiEndpoint.get(
      `listCommenters${suffix}` as const,
      path.replace(/comments$/, "commenters") as Commenters<Path>,
      { params: target, query: page, success: pageOf(Member), error: reading }
    ).annotateMerge(
      describe(
        `List the commenters of ${targetName}`,
        "Returns the members who have posted comments or replies, most recently joined first."
      )
    ),
    HttpApiEndpoint.get(`listComments${suffix}` as const, path, {
      params: target,
      query: listParameters,
      success: pageOf(Comment),
      error: reading
    }).annotateMerge(
      describe(
        `List the comments on ${targetName}`,
        "Returns the comments in the order in which they were posted, newest first by default."
      )
    ),
    HttpApiEndpoint.post(`postComment${suffix}` as const, path, {
      params: target,
      payload: PostComment,
      success: Comment,
      error: changing
    }).annotateMerge(
      describe(
        `Comment on ${targetName}`,
        "Posts a comment on the content as a whole, on a page, or on a node of a page."
      )
    ),
    HttpApiEndpoint.get(`getComment${suffix}` as const, `${path}/:commentId` as const, {
      params: comment,
      query: options,
      success: Comment,
      error: reading
    }).annotateMerge(describe(`Get a comment on ${targetName}`, "Returns the comment, with its reactions.")),
    HttpApiEndpoint.put(`updateComment${suffix}` as const, `${path}/:commentId` as const, {
      params: comment,
      payload: UpdateComment,
      success: Comment,
      error: editing
    }).annotateMerge(
      describe(
        `Update a comment on ${targetName}`,
        "Edits the comment, adds or removes reactions of the caller, or changes whether it is resolved."
      )
    ),
    HttpApiEndpoint.delete(`deleteComment${suffix}` as const, `${path}/:commentId` as const, {
      params: comment,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(describe(`Delete a comment on ${targetName}`, "Deletes the comment and its replies.")),
    HttpApiEndpoint.get(`listCommentReplies${suffix}` as const, `${path}/:commentId/replies` as const, {
      params: comment,
      query: { ...page, ...options },
      success: pageOf(CommentReply),
      error: reading
    }).annotateMerge(
      describe(`List the replies to a comment on ${targetName}`, "Returns the replies, oldest first.")
    ),
    HttpApiEndpoint.post(`postCommentReply${suffix}` as const, `${path}/:commentId/replies` as const, {
      params: comment,
      query: options,
      payload: PostReply,
      success: CommentReply,
      error: changing
    }).annotateMerge(
      describe(`Reply to a comment on ${targetName}`, "Posts a reply at the end of the thread.")
    ),
    HttpApiEndpoint.get(
      `getCommentReply${suffix}` as const,
      `${path}/:commentId/replies/:commentReplyId` as const,
      { params: reply, query: options, success: CommentReply, error: reading }
    ).annotateMerge(
      describe(`Get a reply to a comment on ${targetName}`, "Returns the reply, with its reactions.")
    ),
    HttpApiEndpoint.put(
      `updateCommentReply${suffix}` as const,
      `${path}/:commentId/replies/:commentReplyId` as const,
      { params: reply, payload: UpdateReply, success: CommentReply, error: editing }
    ).annotateMerge(
      describe(
        `Update a reply to a comment on ${targetName}`,
        "Edits the reply, or adds or removes reactions of the caller."
      )
    ),
    HttpApiEndpoint.delete(
      `deleteCommentReply${suffix}` as const,
      `${path}/:commentId/replies/:commentReplyId` as const,
      { params: reply, success: HttpApiSchema.Empty(205), error: editing }
    ).annotateMerge(describe(`Delete a reply to a comment on ${targetName}`, "Deletes the reply."))
  ] as const
}
