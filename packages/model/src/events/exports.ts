/** The public names of events in `@lectern/model`. */
export { Event, EventCursor, EventList, EventType, ListEvents } from "./Event.ts"
