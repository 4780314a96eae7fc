/** The public API of `@lectern/client`. */

export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export * from "@lectern/model/api"
export {
  AcceptsFiles,
  Api,
  apiWithFeatures,
  ChangedResource,
  CreatesIfMissing,
  type DeclaredError,
  type DeclaredErrors,
  defineErrors,
  type ErrorDeclaration,
  type FeatureApi,
  type FeatureErrorOf,
  Immutable,
  operationErrors,
  ReturnsSecret
} from "@lectern/model/api"
export {
  Conflict,
  FeatureError,
  Forbidden,
  Gone,
  InvalidInput,
  NotFound,
  PreconditionFailed,
  Unauthenticated,
  UpstreamFailed,
  UpstreamTimeout
} from "@lectern/model/errors"
export {
  type ActionNoun,
  type ActionRole,
  type ActionRoles,
  defineActions,
  type FeatureAction,
  type FeatureActions,
  featurePermissions
} from "@lectern/model/roles"
export type { CallOptions, RequestConditions, ResponseDetails } from "./CallOptions.ts"
export type { ClientOptions } from "./clientOptions.ts"
export { type CreateClientOptions, createClient } from "./createClient.ts"
export {
  type EffectClient,
  type EffectClientOptions,
  type EffectClientWith,
  makeClient
} from "./makeClient.ts"
export type { PromiseClient, PromiseClientWith } from "./PromiseClient.ts"
export { type PageCursor, paginate } from "./paginate.ts"
export { withConditions } from "./requestConditions.ts"
