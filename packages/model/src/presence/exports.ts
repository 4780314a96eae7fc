/** The public names of presence in `@lectern/model`. */
export { AnnouncePresence, type PagePresence, PagePresences, type PresenceState } from "./Presence.ts"
