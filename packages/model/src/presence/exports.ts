export { AnnouncePresence, type PagePresence, PagePresences, type PresenceState } from "./Presence.ts"
