import { events } from "./events.ts"

export const eventsHandlers = { events }
