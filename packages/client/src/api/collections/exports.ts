/** The public names of collections in `@lectern/client`. */
export { CollectionsApi } from "./CollectionsApi.ts"
