/** The public names of comments in `@lectern/core`, besides the model. */

export { comments } from "../../tables/comments/commentTables.ts"
export { Comments } from "./Comments.ts"
