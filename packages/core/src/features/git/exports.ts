export { GitSync } from "./GitSync.ts"
export { gitWebhooksPath } from "./GitWebhooks.ts"
