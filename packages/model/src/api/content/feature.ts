/** The endpoints of content. */
import { ContentApi } from "./ContentApi.ts"
import { HistoryApi } from "./HistoryApi.ts"
import { RevisionsApi } from "./RevisionsApi.ts"

/** The groups of endpoints of content, in the order of the OpenAPI document. */
export const groups: readonly [typeof ContentApi, typeof RevisionsApi, typeof HistoryApi] = [
  ContentApi,
  RevisionsApi,
  HistoryApi
]
