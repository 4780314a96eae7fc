/** The public names of notifications in `@lectern/core`, besides the model. */
export { Notifications } from "./Notifications.ts"
export { Unsubscriptions } from "./Unsubscriptions.ts"
export { maximumUnsubscribeTokenLength, unsubscribePath } from "./unsubscribeLinks.ts"
