export { ContentApi } from "./ContentApi.ts"
export { HistoryApi } from "./HistoryApi.ts"
export { RevisionsApi } from "./RevisionsApi.ts"
