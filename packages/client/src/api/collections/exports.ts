/** What `@lectern/client` exports of collections. */
export { CollectionsApi } from "./CollectionsApi.ts"
