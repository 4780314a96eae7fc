/** The public names of places in `@lectern/model/api`. */
export { PlacesApi } from "./PlacesApi.ts"
