/** The public names of collections in `@lectern/core`, besides the model. */
export { Collections } from "./Collections.ts"
