/** The endpoints of comments. */
import { ChangeRequestCommentsApi, CommentsApi } from "./CommentsApi.ts"

/** The groups of endpoints of comments, in the order of the OpenAPI document. */
export const groups: readonly [typeof CommentsApi, typeof ChangeRequestCommentsApi] = [
  CommentsApi,
  ChangeRequestCommentsApi
]
