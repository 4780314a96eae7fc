export { ChangeRequestCommentsApi, CommentsApi } from "./CommentsApi.ts"
