export {
  AnnouncedChange,
  Event,
  EventCursor,
  EventList,
  EventType,
  FollowChanges,
  ListEvents
} from "./Event.ts"
