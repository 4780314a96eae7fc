/** The public names of reviews in `@lectern/model`. */
export {
  ChangeRequestReview,
  ListReviews,
  RequestedReviewer,
  RequestedReviewers,
  RequestReviewers,
  ReviewId,
  ReviewStatus,
  SubmitReview,
  UserContributor
} from "./Review.ts"
