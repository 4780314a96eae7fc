import { reviews } from "./reviews.ts"

export const reviewsHandlers = { reviews }
