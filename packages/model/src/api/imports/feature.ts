/** The endpoints of imports. */
import { ImportRunsApi } from "./ImportRunsApi.ts"

/** The groups of endpoints of imports, in the order of the OpenAPI document. */
export const groups: readonly [typeof ImportRunsApi] = [ImportRunsApi]
