/** The public names of content in `@lectern/model/api`. */
export { ContentApi } from "./ContentApi.ts"
export { HistoryApi } from "./HistoryApi.ts"
export { RevisionsApi } from "./RevisionsApi.ts"
