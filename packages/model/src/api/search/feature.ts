/** The endpoints of search. */
import { SearchApi } from "./SearchApi.ts"

/** The groups of endpoints of search, in the order of the OpenAPI document. */
export const groups: readonly [typeof SearchApi] = [SearchApi]
