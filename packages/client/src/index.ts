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
  type FeatureApi,
  Immutable,
  operationErrors,
  ReturnsSecret
} from "@lectern/model/api"
export {
  Conflict,
  Forbidden,
  Gone,
  InvalidInput,
  NotFound,
  PreconditionFailed,
  Unauthenticated,
  UpstreamFailed,
  UpstreamTimeout
} from "@lectern/model/errors"
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
