/** The public names of events in `@lectern/core`, besides the model. */
export { Events } from "./Events.ts"
