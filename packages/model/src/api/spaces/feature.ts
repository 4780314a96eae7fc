/** The endpoints of spaces. */
import { SpacesApi } from "./SpacesApi.ts"

/** The groups of endpoints of spaces, in the order of the OpenAPI document. */
export const groups: readonly [typeof SpacesApi] = [SpacesApi]
