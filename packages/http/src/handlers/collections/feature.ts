/** The handlers of the endpoints of collections. */
import { collections } from "./collections.ts"

/** The handlers of each group of endpoints of collections, by the name of the group. */
export const collectionsHandlers = { collections }
