/** The public names of events in `@lectern/model/api`. */
export { EventsApi } from "./EventsApi.ts"
