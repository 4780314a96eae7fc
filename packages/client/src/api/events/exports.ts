/** The public names of events in `@lectern/client`. */
export { EventsApi } from "./EventsApi.ts"
