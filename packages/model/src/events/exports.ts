export { AnnouncedChange, Event, EventCursor, EventList, EventType, ListEvents } from "./Event.ts"
