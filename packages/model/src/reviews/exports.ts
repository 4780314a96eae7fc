export {
  ChangeRequestReview,
  ListReviews,
  RequestedReviewer,
  RequestedReviewers,
  RequestReviewers,
  ReviewId,
  ReviewOptions,
  ReviewStatus,
  SubmitReview,
  UserContributor
} from "./Review.ts"
