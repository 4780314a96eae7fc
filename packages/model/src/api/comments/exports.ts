/** The public names of comments in `@lectern/model/api`. */
export { ChangeRequestCommentsApi, CommentsApi } from "./CommentsApi.ts"
