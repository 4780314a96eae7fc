/** The endpoints of presence. */
import { PresenceApi } from "./PresenceApi.ts"

/** The groups of endpoints of presence, in the order of the OpenAPI document. */
export const groups: readonly [typeof PresenceApi] = [PresenceApi]
