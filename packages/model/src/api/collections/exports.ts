export { CollectionsApi } from "./CollectionsApi.ts"
