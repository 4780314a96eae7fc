/** The public API of `@lectern/client/fetch`: the client without Effect and without runtime schemas. */

export type { RequestConditions, ResponseDetails } from "../CallOptions.ts"
export { type ListPage, type PageCursor, paginate } from "../paginate.ts"
export { ApiError, type ApiErrorFields, type ErrorCode, type ErrorTag } from "./ApiError.ts"
export type { CallOptions, UploadProgress } from "./CallOptions.ts"
export { createClient, type FetchClient, type FetchClientOptions } from "./createClient.ts"
export {
  type FeatureMethods,
  type FeatureRoutes,
  featureRoutes,
  type MethodsOf
} from "./featureRoutes.ts"
export type { AnnouncedChange, FollowChangesOptions, FollowEventsOptions } from "./followEvents.ts"
export type { Operations } from "./operations.gen.ts"
export type * from "./resources.gen.ts"
