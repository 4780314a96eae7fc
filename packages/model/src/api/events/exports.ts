export { EventsApi } from "./EventsApi.ts"
