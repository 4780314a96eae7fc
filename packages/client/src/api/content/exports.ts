/** The public names of content in `@lectern/client`. */
export { ContentApi } from "./ContentApi.ts"
export { HistoryApi } from "./HistoryApi.ts"
export { RevisionsApi } from "./RevisionsApi.ts"
