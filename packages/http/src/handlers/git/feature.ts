/** The handlers of the endpoints of Git synchronization. */
import { git } from "./git.ts"

/** The handlers of each group of endpoints of Git synchronization, by the name of the group. */
export const gitHandlers = { git }
