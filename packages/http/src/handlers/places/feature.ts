/** The handlers of the endpoints of places. */
import { places } from "./places.ts"

/** The handlers of each group of endpoints of places, by the name of the group. */
export const placesHandlers = { places }
