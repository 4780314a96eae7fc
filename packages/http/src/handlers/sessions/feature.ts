/** The handlers of the endpoints of sessions. */
import { sessions } from "./sessions.ts"

/** The handlers of each group of endpoints of sessions, by the name of the group. */
export const sessionsHandlers = { sessions }
