import { Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { requestedReviewerEvents, reviewEvents } from "../../tables/reviews/recordedReviewEvents.ts"
import { requestedReviewers, reviews } from "../../tables/reviews/reviewTables.ts"
import { CommentTargets } from "../comments/CommentTargets.ts"
import { Reviews } from "./Reviews.ts"
import { reviewExaminations } from "./reviewChecks.ts"

/** Reviews of change requests, and requests for them. */
export const reviewsFeature = defineFeature("reviews", {
  uses: ["change-requests", "comments"],
  tables: [reviews, requestedReviewers],
  events: [reviewEvents, requestedReviewerEvents],
  userServices: { reviews: Reviews },
  layer: Reviews.layer.pipe(Layer.provide(CommentTargets.layer)),
  examinations: reviewExaminations
})
