export { comments } from "../../tables/comments/commentTables.ts"
export { Comments } from "./Comments.ts"
