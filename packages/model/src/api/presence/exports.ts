/** The public names of presence in `@lectern/model/api`. */
export { PresenceApi } from "./PresenceApi.ts"
