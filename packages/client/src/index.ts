/** The public API of `@lectern/client`. */

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
} from "@lectern/core"
export { Api } from "./api/Api.ts"
export * from "./api/audit/exports.ts"
export * from "./api/change-requests/exports.ts"
export * from "./api/collections/exports.ts"
export * from "./api/comments/exports.ts"
export * from "./api/content/exports.ts"
export * from "./api/events/exports.ts"
export * from "./api/exports/exports.ts"
export * from "./api/git/exports.ts"
export * from "./api/imports/exports.ts"
export * from "./api/integrations/exports.ts"
export * from "./api/links/exports.ts"
export * from "./api/openapi-specs/exports.ts"
export * from "./api/organizations/exports.ts"
export * from "./api/pdf/exports.ts"
export * from "./api/permissions/exports.ts"
export * from "./api/reviews/exports.ts"
export * from "./api/saml/exports.ts"
export * from "./api/search/exports.ts"
export { Immutable } from "./api/shared/immutable.ts"
export {
  AcceptsFiles,
  ChangedResource,
  CreatesIfMissing,
  ReturnsSecret
} from "./api/shared/requestConditions.ts"
export * from "./api/sites/exports.ts"
export * from "./api/spaces/exports.ts"
export * from "./api/tokens/exports.ts"
export * from "./api/translations/exports.ts"
export * from "./api/uploads/exports.ts"
export * from "./api/users/exports.ts"
export * from "./api/webhooks/exports.ts"
export type { CallOptions, RequestConditions, ResponseDetails } from "./CallOptions.ts"
export * from "./clientErrors.ts"
export type { ClientOptions } from "./clientOptions.ts"
export { type CreateClientOptions, createClient } from "./createClient.ts"
export { type EffectClient, makeClient } from "./makeClient.ts"
export type { PromiseClient } from "./PromiseClient.ts"
export { type PageCursor, paginate } from "./paginate.ts"
export { withConditions } from "./requestConditions.ts"
