import { LinksApi } from "./LinksApi.ts"

export const groups: readonly [typeof LinksApi] = [LinksApi]
