/** The public names of content in `@lectern/client`. */
export { ContentApi } from "./ContentApi.ts"
export { RevisionsApi } from "./RevisionsApi.ts"
