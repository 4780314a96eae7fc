/** The endpoints of change requests. */

import { ChangeRequestContentApi } from "./ChangeRequestContentApi.ts"
import { ChangeRequestsApi } from "./ChangeRequestsApi.ts"

/** The groups of endpoints of change requests, in the order of the OpenAPI document. */
export const groups: readonly [typeof ChangeRequestsApi, typeof ChangeRequestContentApi] = [
  ChangeRequestsApi,
  ChangeRequestContentApi
]
