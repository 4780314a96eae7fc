/** What `@lectern/client` exports of comments. */
export { ChangeRequestCommentsApi, CommentsApi } from "./CommentsApi.ts"
