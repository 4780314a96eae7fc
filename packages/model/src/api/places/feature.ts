/** The endpoints of places. */
import { PlacesApi } from "./PlacesApi.ts"

/** The groups of endpoints of places, in the order of the OpenAPI document. */
export const groups: readonly [typeof PlacesApi] = [PlacesApi]
