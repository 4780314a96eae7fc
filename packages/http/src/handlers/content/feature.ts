import { content } from "./content.ts"
import { history } from "./history.ts"
import { revisions } from "./revisions.ts"

export const contentHandlers = { content, revisions, history }
