/** The endpoints of reviews. */

import { ReviewsApi } from "./ReviewsApi.ts"

/** The groups of endpoints of reviews, in the order of the OpenAPI document. */
export const groups: readonly [typeof ReviewsApi] = [ReviewsApi]
