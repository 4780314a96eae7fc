/** The handlers of the endpoints of events. */
import { events } from "./events.ts"

/** The handlers of each group of endpoints of events, by the name of the group. */
export const eventsHandlers = { events }
