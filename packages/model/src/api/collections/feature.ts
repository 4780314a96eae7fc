/** The endpoints of collections. */
import { CollectionsApi } from "./CollectionsApi.ts"

/** The groups of endpoints of collections, in the order of the OpenAPI document. */
export const groups: readonly [typeof CollectionsApi] = [CollectionsApi]
