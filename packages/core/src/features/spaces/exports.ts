/** What `@lectern/core` exports of spaces, beside its model. */

export { spaces } from "../../model/spaces/Space.ts"
export { Spaces } from "./Spaces.ts"
