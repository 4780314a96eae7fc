/** The public names of places in `@lectern/core`, besides the model. */
export { Places } from "./Places.ts"
