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
