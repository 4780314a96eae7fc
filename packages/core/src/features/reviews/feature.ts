import { defineFeature } from "@lectern/kernel"
import {
  requestedReviewerEvents,
  requestedReviewers,
  reviewEvents,
  reviewExaminations,
  reviews
} from "@lectern/kernel/tables"
import { Layer } from "effect"
import { CommentTargets } from "../comments/CommentTargets.ts"
import { Reviews } from "./Reviews.ts"

/** Reviews of change requests, and requests for them. */
export const reviewsFeature = defineFeature("reviews", {
  uses: ["comments"],
  tables: [reviews, requestedReviewers],
  events: [reviewEvents, requestedReviewerEvents],
  userServices: { reviews: Reviews },
  layer: Reviews.layer.pipe(Layer.provide(CommentTargets.layer)),
  examinations: reviewExaminations
})
