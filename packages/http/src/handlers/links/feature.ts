/** The handlers of the endpoints of links. */
import { links } from "./links.ts"

/** The handlers of each group of endpoints of links, by the name of the group. */
export const linksHandlers = { links }
