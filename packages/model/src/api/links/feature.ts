/** The endpoints of links. */
import { LinksApi } from "./LinksApi.ts"

/** The groups of endpoints of links, in the order of the OpenAPI document. */
export const groups: readonly [typeof LinksApi] = [LinksApi]
