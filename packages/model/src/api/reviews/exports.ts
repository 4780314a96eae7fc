export { ReviewsApi } from "./ReviewsApi.ts"
