/** The public names of Git synchronization in `@lectern/core`, besides the model. */
export { GitSync } from "./GitSync.ts"
export { gitWebhooksPath } from "./GitWebhooks.ts"
