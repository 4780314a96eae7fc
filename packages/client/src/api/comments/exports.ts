/** The public names of comments in `@lectern/client`. */
export { ChangeRequestCommentsApi, CommentsApi } from "./CommentsApi.ts"
