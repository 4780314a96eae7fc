/** The handlers of the endpoints of content. */
import { content } from "./content.ts"
import { history } from "./history.ts"
import { revisions } from "./revisions.ts"

/** The handlers of each group of endpoints of content, by the name of the group. */
export const contentHandlers = { content, revisions, history }
