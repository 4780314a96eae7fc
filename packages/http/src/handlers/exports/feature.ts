/** The handlers of the endpoints of exports. */
import { exports } from "./exports.ts"

/** The handlers of each group of endpoints of exports, by the name of the group. */
export const exportsHandlers = { exports }
