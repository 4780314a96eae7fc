/** The endpoints of OpenID Connect. */
import { OidcApi } from "./OidcApi.ts"

/** The groups of endpoints of OpenID Connect, in the order of the OpenAPI document. */
export const groups: readonly [typeof OidcApi] = [OidcApi]
