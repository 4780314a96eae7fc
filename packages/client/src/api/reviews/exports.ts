/** The public names of reviews in `@lectern/client`. */

export { ReviewsApi } from "./ReviewsApi.ts"
