import { SamlApi } from "./SamlApi.ts"

export const groups: readonly [typeof SamlApi] = [SamlApi]
