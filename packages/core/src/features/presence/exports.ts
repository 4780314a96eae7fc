export { Presence } from "./Presence.ts"
