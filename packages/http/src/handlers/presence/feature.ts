/** The handlers of the endpoints of presence. */
import { presence } from "./presence.ts"

/** The handlers of each group of endpoints of presence, by the name of the group. */
export const presenceHandlers = { presence }
