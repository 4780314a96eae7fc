export { PlacesApi } from "./PlacesApi.ts"
