/** What `@lectern/client` exports of content. */
export { ContentApi } from "./ContentApi.ts"
export { RevisionsApi } from "./RevisionsApi.ts"
