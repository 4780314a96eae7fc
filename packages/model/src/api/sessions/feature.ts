/** The endpoints of sessions. */
import { SessionsApi } from "./SessionsApi.ts"

/** The groups of endpoints of sessions, in the order of the OpenAPI document. */
export const groups: readonly [typeof SessionsApi] = [SessionsApi]
