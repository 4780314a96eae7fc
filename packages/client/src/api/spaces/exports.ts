/** What `@lectern/client` exports of spaces. */
export { SpacesApi } from "./SpacesApi.ts"
