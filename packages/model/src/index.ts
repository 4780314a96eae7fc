/** Ids, resource schemas and inputs, without services: what the API declaration and its clients need. */

export * from "./audit/exports.ts"
export * from "./change-requests/exports.ts"
export * from "./collections/exports.ts"
export * from "./comments/exports.ts"
export * from "./content/exports.ts"
export type { InvalidField } from "./errors/errors.ts"
export * from "./events/exports.ts"
export * from "./exports/exports.ts"
export * from "./git/exports.ts"
export * from "./imports/exports.ts"
export * from "./integrations/exports.ts"
export * from "./links/exports.ts"
export * from "./merge-rules/exports.ts"
export * from "./notifications/exports.ts"
export * from "./oidc/exports.ts"
export * from "./openapi-specs/exports.ts"
export * from "./organizations/exports.ts"
export * from "./passkeys/exports.ts"
export * from "./pdf/exports.ts"
export * from "./permissions/exports.ts"
export * from "./places/exports.ts"
export * from "./presence/exports.ts"
export * from "./programs/exports.ts"
export * from "./provisioning/exports.ts"
export * from "./reviews/exports.ts"
export * from "./roles/exports.ts"
export * from "./saml/exports.ts"
export {
  defaultLimit,
  maximumLimit,
  type Page,
  PageQuery,
  type PageSchema,
  pageOf
} from "./schema/Pagination.ts"
export * from "./search/exports.ts"
export * from "./sessions/exports.ts"
export * from "./sites/exports.ts"
export * from "./spaces/exports.ts"
export * from "./tokens/exports.ts"
export * from "./translations/exports.ts"
export * from "./uploads/exports.ts"
export * from "./users/exports.ts"
export * from "./webhooks/exports.ts"
