/** The public names of spaces in `@lectern/client`. */
export { SpacesApi } from "./SpacesApi.ts"
