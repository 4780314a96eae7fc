import { ChangeRequestContentApi } from "./ChangeRequestContentApi.ts"
import { ChangeRequestsApi } from "./ChangeRequestsApi.ts"

export const groups: readonly [typeof ChangeRequestsApi, typeof ChangeRequestContentApi] = [
  ChangeRequestsApi,
  ChangeRequestContentApi
]
