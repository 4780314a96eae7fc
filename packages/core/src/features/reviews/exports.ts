/** The public names of reviews in `@lectern/core`, besides the model. */

export { Reviews } from "./Reviews.ts"
