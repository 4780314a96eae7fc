/** The handlers of the endpoints of search. */
import { search } from "./search.ts"

/** The handlers of each group of endpoints of search, by the name of the group. */
export const searchHandlers = { search }
