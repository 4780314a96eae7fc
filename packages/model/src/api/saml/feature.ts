/** The endpoints of single sign-on. */
import { SamlApi } from "./SamlApi.ts"

/** The groups of endpoints of single sign-on, in the order of the OpenAPI document. */
export const groups: readonly [typeof SamlApi] = [SamlApi]
