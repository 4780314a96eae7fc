/** The public names of spaces in `@lectern/model/api`. */
export { SpacesApi } from "./SpacesApi.ts"
