import { ChangeRequestCommentsApi, CommentsApi } from "./CommentsApi.ts"

export const groups: readonly [typeof CommentsApi, typeof ChangeRequestCommentsApi] = [
  CommentsApi,
  ChangeRequestCommentsApi
]
