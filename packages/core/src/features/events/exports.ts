export { Events } from "./Events.ts"
