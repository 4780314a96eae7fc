/** The public names of spaces in `@lectern/core`, besides the model. */

export { spaces } from "../../tables/spaces/spaceTable.ts"
export { Spaces } from "./Spaces.ts"
