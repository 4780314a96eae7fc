/** The public names of collections in `@lectern/model/api`. */
export { CollectionsApi } from "./CollectionsApi.ts"
