import { sessions } from "./sessions.ts"

export const sessionsHandlers = { sessions }
