import { ImportRunsApi } from "./ImportRunsApi.ts"

export const groups: readonly [typeof ImportRunsApi] = [ImportRunsApi]
