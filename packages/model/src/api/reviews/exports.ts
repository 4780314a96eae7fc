/** The public names of reviews in `@lectern/model/api`. */

export { ReviewsApi } from "./ReviewsApi.ts"
