/** The public names of notifications in `@lectern/model/api`. */
export { NotificationsApi } from "./NotificationsApi.ts"
