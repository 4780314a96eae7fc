export { comments } from "@lectern/kernel/tables"
export { Comments } from "./Comments.ts"
