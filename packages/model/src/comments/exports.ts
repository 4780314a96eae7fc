export {
  Comment,
  type CommentBody,
  CommentId,
  CommentOptions,
  CommentQuote,
  CommentReplier,
  CommentReply,
  CommentReplyId,
  type CreateReply,
  ListComments,
  ListReplies,
  PostComment,
  PostReply,
  type Reaction,
  type TargetPage,
  UpdateComment,
  UpdateReply
} from "./Comment.ts"
