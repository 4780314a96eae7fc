/** The public names of events in `@lectern/core/model`. */
export { Event, EventCursor, EventList, EventType, ListEvents } from "./Event.ts"
