import { GitApi } from "./GitApi.ts"

export const groups: readonly [typeof GitApi] = [GitApi]
