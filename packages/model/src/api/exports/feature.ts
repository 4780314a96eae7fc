/** The endpoints of exports. */
import { ExportsApi } from "./ExportsApi.ts"

/** The groups of endpoints of exports, in the order of the OpenAPI document. */
export const groups: readonly [typeof ExportsApi] = [ExportsApi]
