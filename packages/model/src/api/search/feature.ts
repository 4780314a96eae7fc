import { SearchApi } from "./SearchApi.ts"

export const groups: readonly [typeof SearchApi] = [SearchApi]
