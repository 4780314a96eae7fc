import { ContentApi } from "./ContentApi.ts"
import { HistoryApi } from "./HistoryApi.ts"
import { RevisionsApi } from "./RevisionsApi.ts"

export const groups: readonly [typeof ContentApi, typeof RevisionsApi, typeof HistoryApi] = [
  ContentApi,
  RevisionsApi,
  HistoryApi
]
