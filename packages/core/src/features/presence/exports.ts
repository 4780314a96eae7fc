/** The public names of presence in `@lectern/core`, besides the model. */
export { Presence } from "./Presence.ts"
