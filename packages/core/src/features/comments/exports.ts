/** The public names of comments in `@lectern/core`, besides the model. */

export { comments } from "../../model/comments/Comment.ts"
export { Comments } from "./Comments.ts"
