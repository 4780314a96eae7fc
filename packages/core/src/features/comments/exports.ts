/** What `@lectern/core` exports of comments, beside its model. */

export { comments } from "../../model/comments/Comment.ts"
export { Comments } from "./Comments.ts"
