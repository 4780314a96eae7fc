import { OidcApi } from "./OidcApi.ts"

export const groups: readonly [typeof OidcApi] = [OidcApi]
