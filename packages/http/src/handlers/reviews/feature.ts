/** The handlers of the endpoints of reviews. */

import { reviews } from "./reviews.ts"

/** The handlers of each group of endpoints of reviews, by the name of the group. */
export const reviewsHandlers = { reviews }
