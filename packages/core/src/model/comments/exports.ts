/** What `@lectern/core/model` exports of comments. */
export {
  Comment,
  CommentId,
  CommentOptions,
  CommentReply,
  CommentReplyId,
  ListComments,
  ListReplies,
  PostComment,
  PostReply,
  UpdateComment,
  UpdateReply
} from "./Comment.ts"
