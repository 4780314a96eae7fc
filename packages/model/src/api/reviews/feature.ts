import { ReviewsApi } from "./ReviewsApi.ts"

export const groups: readonly [typeof ReviewsApi] = [ReviewsApi]
