/** The public entry point of `@lectern/core`. */

export { makeInputDecoder } from "@lectern/markdown/conditions"
export * from "@lectern/model"
export * from "@lectern/model/errors"
export type { InputDecoder } from "@lectern/model/schema"
export { fieldsOf, unescaped } from "@lectern/model/schema"
export { type AuditCallDetails, addAuditDetails } from "./access/AuditedCall.ts"
export { Authenticator, type Credentials } from "./access/Authenticator.ts"
export { SecurityLog, type SecurityLogEntry } from "./access/audit/SecurityLog.ts"
export { CallOrigin, type Origin, type TokenUse } from "./access/CallOrigin.ts"
export {
  anonymousVisitor,
  CurrentUser,
  type Identity,
  type SignIn,
  visitorIdentity
} from "./access/CurrentUser.ts"
export type { Grant, Granted, GrantedReader, GrantedRecords } from "./access/grants/Grant.ts"
export { SystemGrant } from "./access/grants/SystemGrant.ts"
export { HostSignIn, type HostSignInSettings } from "./access/HostSignIn.ts"
export { OrganizationQuotas, type Quota, type Quotas, type UsageCounts } from "./access/limits/quotas.ts"
export { OrganizationMeter } from "./access/OrganizationMeter.ts"
export { admitsAnonymous, admitsVisitors } from "./access/operations/Authorization.ts"
export { AuditRetention } from "./access/operations/auditWriter.ts"
export { CommandGuard, type CommandGuardFunction } from "./access/operations/CommandGuard.ts"
export { type LockList, Locks } from "./access/operations/Locks.ts"
export type {
  AccessError,
  Command,
  Operation,
  OperatorOperation,
  Plain,
  Query
} from "./access/operations/Operation.ts"
export type { OperationDefinition, Rule } from "./access/operations/OperationDefinition.ts"
export {
  type AfterHook,
  type BeforeHook,
  type ExecutedCall,
  type HookedCall,
  OperationHooks,
  rejectCommand
} from "./access/operations/OperationHooks.ts"
export { Operations } from "./access/operations/Operations.ts"
export { ObserveOperations } from "./access/operations/observed.ts"
export { Access, type Caller, roleOn } from "./access/roles/Access.ts"
export * from "./features/audit/exports.ts"
export * from "./features/change-requests/exports.ts"
export * from "./features/collections/exports.ts"
export * from "./features/comments/exports.ts"
export * from "./features/content/exports.ts"
export * from "./features/conversion/exports.ts"
export * from "./features/events/exports.ts"
export * from "./features/exports/exports.ts"
export * from "./features/git/exports.ts"
export * from "./features/idempotency/exports.ts"
export * from "./features/imports/exports.ts"
export * from "./features/integrations/exports.ts"
export * from "./features/links/exports.ts"
export * from "./features/mail/exports.ts"
export * from "./features/notifications/exports.ts"
export * from "./features/oidc/exports.ts"
export * from "./features/openapi-specs/exports.ts"
export * from "./features/organizations/exports.ts"
export * from "./features/pdf/exports.ts"
export * from "./features/permissions/exports.ts"
export * from "./features/places/exports.ts"
export * from "./features/presence/exports.ts"
export * from "./features/reviews/exports.ts"
export * from "./features/saml/exports.ts"
export * from "./features/search/exports.ts"
export * from "./features/sessions/exports.ts"
export * from "./features/sites/exports.ts"
export * from "./features/spaces/exports.ts"
export * from "./features/tokens/exports.ts"
export * from "./features/translations/exports.ts"
export * from "./features/uploads/exports.ts"
export * from "./features/users/exports.ts"
export * from "./features/webhooks/exports.ts"
export { type Check, type Examination, examination, type Problem, type Scan } from "./kernel/doctor/Check.ts"
export type { Event as DoctorEvent, Finding, Progress, Summary } from "./kernel/doctor/Finding.ts"
export { editDistance } from "./kernel/editDistance.ts"
export { EventLog } from "./kernel/events/EventLog.ts"
export {
  type Subscription,
  subscribeToEvent,
  type TransactionEvent,
  type TransactionEventHandler,
  TransactionEvents,
  transactionEvent
} from "./kernel/events/TransactionEvents.ts"
export { type AnyFeature, defineFeature, type Feature } from "./kernel/features/Feature.ts"
export { IdGenerator, Ids } from "./kernel/ids/Ids.ts"
export { housekeepingJob } from "./kernel/jobs/housekeepingJob.ts"
export { type JobRow, jobs } from "./kernel/jobs/Job.ts"
export {
  JobFailed,
  type JobHandler,
  JobLease,
  JobReleaseTimeout,
  Jobs,
  maximumAttempts,
  pauseMillis
} from "./kernel/jobs/Jobs.ts"
export { rebuildJob, rebuildJobKind, rebuiltDataOf } from "./kernel/jobs/rebuildJob.ts"
export { type Fetch, type Fetched, Fetcher, type FetchRequest } from "./kernel/network/Fetcher.ts"
export { PublicUrl, RequestBaseUrl } from "./kernel/network/PublicUrl.ts"
export { type CacheCounts, readCacheCounts } from "./kernel/observability/cacheCounts.ts"
export { observeStatement, SlowOperationThreshold } from "./kernel/observability/statements.ts"
export { registerTransactionMetrics } from "./kernel/observability/transactionMetrics.ts"
export { PlatformCalls } from "./kernel/platform.ts"
export {
  addRateLimitCounts,
  type RateLimitIncrement,
  type RateLimitRow,
  rateLimits
} from "./kernel/rate-limits/rateLimitCounts.ts"
export { SigningSecret, type WorkspaceSecret, WorkspaceSecrets } from "./kernel/security/Signatures.ts"
export { BlobCompression } from "./kernel/storage/blobEncoding.ts"
export { CacheSize, cacheShare } from "./kernel/storage/CacheSize.ts"
export { type EventRow, events, outboxEvents } from "./kernel/storage/eventTables.ts"
export * from "./kernel/storage/index.ts"
export {
  type AnyResourceEvents,
  EventRetention,
  eventTypesOf,
  RecordedResources,
  resourceEvents
} from "./kernel/storage/ResourceEvents.ts"
export { makeVersionedCache } from "./kernel/storage/versionedCache.ts"
export * from "./tables/exports.ts"
export { BackgroundWork, JobConcurrency } from "./workspace/BackgroundWork.ts"
export { type Backlog, readBacklog } from "./workspace/backlog.ts"
export * from "./workspace/backup/index.ts"
export { countRows, type RowCounts } from "./workspace/countRows.ts"
export {
  createWorkspace,
  type WorkspaceOptions
} from "./workspace/createWorkspace.ts"
export { Doctor, type Options as DoctorOptions } from "./workspace/Doctor.ts"
export type {
  EmbeddedWorkspace,
  JoinedTransactionOf,
  TransactionOf,
  WorkspaceOf
} from "./workspace/EmbeddedWorkspace.ts"
export type {
  EventStreamError,
  SubscribeOptions,
  WorkspaceEvent,
  WorkspaceEventOf,
  WorkspaceEventType
} from "./workspace/eventTypes.ts"
export { workspaceEvents } from "./workspace/features.ts"
export type { HostHooks } from "./workspace/hookTypes.ts"
export type { AuthenticatedUser, HostAuthenticate } from "./workspace/hostFunctions.ts"
export type { LogEntry } from "./workspace/hostLogger.ts"
export type { HostTransaction, HostTransactionOptions } from "./workspace/hostTransaction.ts"
export type { JoinedTransaction } from "./workspace/joinedTransaction.ts"
export { isLecternError, type LecternError } from "./workspace/LecternError.ts"
export type { Promised } from "./workspace/promised.ts"
export { type SecretCounts, Secrets, type SecretsService } from "./workspace/Secrets.ts"
export { tables } from "./workspace/tables.ts"
export type { PromisedUserServices, UserServices } from "./workspace/userServices.ts"
export * as Workspace from "./workspace/Workspace.ts"
