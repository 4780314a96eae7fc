export { PresenceApi } from "./PresenceApi.ts"
