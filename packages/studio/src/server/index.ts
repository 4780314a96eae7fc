/** The public API of `@lectern/studio`: the application as files for a server. */
export { type Studio, type StudioOptions, type StudioRequest, type StudioResponse, studio } from "./studio.ts"
