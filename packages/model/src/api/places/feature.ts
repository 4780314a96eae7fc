import { PlacesApi } from "./PlacesApi.ts"

export const groups: readonly [typeof PlacesApi] = [PlacesApi]
