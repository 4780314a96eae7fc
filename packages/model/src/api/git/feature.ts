/** The endpoints of Git synchronization. */
import { GitApi } from "./GitApi.ts"

/** The groups of endpoints of Git synchronization, in the order of the OpenAPI document. */
export const groups: readonly [typeof GitApi] = [GitApi]
