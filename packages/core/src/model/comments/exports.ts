/** The public names of comments in `@lectern/core/model`. */
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
