/** The interface of the operations on comments. */

import type { Command, Query, TargetError } from "@lectern/access"
import type {
  Comment,
  CommentId,
  CommentOptions,
  CommentReply,
  CommentReplyId,
  CreateReply,
  ListComments,
  ListReplies,
  PostComment,
  UpdateComment,
  UpdateReply
} from "@lectern/model/comments"
import type { Member } from "@lectern/model/organizations"
import type { Page, PageQuery } from "@lectern/model/schema"
import type { CommentTargetRef } from "./CommentTargets.ts"

/**
 * Operations on comments, on behalf of the `CurrentUser`. `target` is the space of the comments, or one of its change
 * requests if `changeRequest` (an id, or a number in the space) is set. Every operation fails with `NotFound` if the
 * caller cannot read the target, or if the comment or the reply does not exist there.
 */
export interface CommentsOperations {
  /** Lists the comments on the target that match every given filter, by time of posting, newest first by default. */
  readonly list: Query<{ target: CommentTargetRef; input?: ListComments }, Page<Comment>, TargetError>
  /** Lists the members of the organization who posted a comment or a reply on the target, newest members first. */
  readonly listCommenters: Query<{ target: CommentTargetRef; input?: PageQuery }, Page<Member>, TargetError>
  /** Returns the comment. */
  readonly get: Query<
    { target: CommentTargetRef; comment: CommentId; input?: CommentOptions },
    Comment,
    TargetError
  >
  /**
   * Posts a comment on the target, on a page of its content, or on a node of that page's document. Requires the role
   * `comment` on the space. Fails with `InvalidInput` if the page or the node does not exist, and with `Conflict` if
   * the change request is merged.
   */
  readonly create: Command<{ target: CommentTargetRef; input: PostComment }, Comment, TargetError>
  /**
   * Updates the body of a comment, the caller's reactions to it, and whether it is resolved. Requires the role
   * `comment` on the space; only the author can change the body, and `resolved` requires the role `edit`.
   */
  readonly update: Command<
    { target: CommentTargetRef; comment: CommentId; input?: UpdateComment },
    Comment,
    TargetError
  >
  /** Permanently removes a comment with its replies. Requires the role `admin` on the space if it is not the caller's. */
  readonly remove: Command<{ target: CommentTargetRef; comment: CommentId }, void, TargetError>
  /** Lists the replies to a comment, oldest first. */
  readonly listReplies: Query<
    { target: CommentTargetRef; comment: CommentId; input?: ListReplies },
    Page<CommentReply>,
    TargetError
  >
  /** Returns the reply. */
  readonly getReply: Query<
    { target: CommentTargetRef; comment: CommentId; reply: CommentReplyId; input?: CommentOptions },
    CommentReply,
    TargetError
  >
  /**
   * Posts a reply to a comment. Requires the role `comment` on the space. Fails with `Conflict` if the change request
   * is merged.
   */
  readonly createReply: Command<
    { target: CommentTargetRef; comment: CommentId; input: CreateReply },
    CommentReply,
    TargetError
  >
  /**
   * Updates the body of a reply, and the caller's reactions to it. Requires the role `comment` on the space; only the
   * author can change the body.
   */
  readonly updateReply: Command<
    { target: CommentTargetRef; comment: CommentId; reply: CommentReplyId; input?: UpdateReply },
    CommentReply,
    TargetError
  >
  /** Permanently removes a reply. Requires the role `admin` on the space if it is not the caller's. */
  readonly removeReply: Command<
    { target: CommentTargetRef; comment: CommentId; reply: CommentReplyId },
    void,
    TargetError
  >
}
