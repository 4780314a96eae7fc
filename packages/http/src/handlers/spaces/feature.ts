/** The handlers of the endpoints of spaces. */
import { spaces } from "./spaces.ts"

/** The handlers of each group of endpoints of spaces, by the name of the group. */
export const spacesHandlers = { spaces }
