import { ExportsApi } from "./ExportsApi.ts"

export const groups: readonly [typeof ExportsApi] = [ExportsApi]
