import { EventsApi } from "./EventsApi.ts"

export const groups: readonly [typeof EventsApi] = [EventsApi]
