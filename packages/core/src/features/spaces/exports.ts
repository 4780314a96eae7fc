/** The public names of spaces in `@lectern/core`, besides the model. */

export { spaces } from "../../model/spaces/Space.ts"
export { Spaces } from "./Spaces.ts"
