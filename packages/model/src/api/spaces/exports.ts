export { SpacesApi } from "./SpacesApi.ts"
