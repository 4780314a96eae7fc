/** The endpoints of events. */
import { EventsApi } from "./EventsApi.ts"

/** The groups of endpoints of events, in the order of the OpenAPI document. */
export const groups: readonly [typeof EventsApi] = [EventsApi]
