/** The public names of events in `@lectern/model`. */
export { AnnouncedChange, Event, EventCursor, EventList, EventType, ListEvents } from "./Event.ts"
