/** The events that are recorded from changed rows. */

import { RequestedReviewerEventData, ReviewEventData } from "@lectern/model/reviews"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { requestedReviewers, reviews } from "./reviewTables.ts"

/** The events of reviews. */
export const reviewEvents = resourceEvents("review", "A review of a change request.", reviews, {
  data: ReviewEventData
})

/** The events of requested reviewers. */
export const requestedReviewerEvents = resourceEvents(
  "requestedReviewer",
  "A user who is requested to review a change request, until they have.",
  requestedReviewers,
  { data: RequestedReviewerEventData }
)
