/** The public entry point of `@lectern/core`. */

export type {
  AccessError,
  Command,
  Grant,
  Granted,
  GrantedReader,
  GrantedRecords,
  Operation,
  OperationDefinition,
  OperatorOperation,
  Plain,
  Query,
  Rule
} from "@lectern/access"
export {
  Access,
  type AfterHook,
  type AuditCallDetails,
  AuditRetention,
  Authenticator,
  addAuditDetails,
  admitsAnonymous,
  admitsVisitors,
  anonymousVisitor,
  type BeforeHook,
  type Caller,
  CallOrigin,
  CommandGuard,
  type CommandGuardFunction,
  type Credentials,
  CurrentToken,
  CurrentUser,
  type ExecutedCall,
  type HookedCall,
  HostSignIn,
  type HostSignInSettings,
  type Identity,
  isFreshSignIn,
  type LockList,
  Locks,
  OperationHooks,
  Operations,
  OrganizationMeter,
  OrganizationQuotas,
  type Origin,
  type Quota,
  type Quotas,
  rejectCommand,
  roleOn,
  SecurityLog,
  type SecurityLogEntry,
  type SignIn,
  SystemGrant,
  type TokenUse,
  type UsageCounts,
  visitorIdentity
} from "@lectern/access"
export {
  type ConvertMarkdown,
  catchUnreadable,
  GitPacks,
  type GitPackTask,
  type GitPackTasks,
  ImportReader,
  type MarkdownConversion,
  type MarkdownConversions,
  MarkdownEngine,
  NotReadable,
  type ProcessGitPack,
  type ReadImport,
  type ReadingKind,
  type Readings
} from "@lectern/formats"
export {
  type Additions,
  type AnyFeature,
  type AnyResourceEvents,
  ApplicationHosts,
  addRateLimitCounts,
  apiResource,
  BackgroundWork,
  BlobCompression,
  BlobHash,
  type BlobReader,
  Blobs,
  blobs,
  type CacheCounts,
  CacheSize,
  type Change,
  type Check,
  type ChunkedBlobRow,
  ChunkedBlobs,
  type Claim,
  type Compression,
  cacheShare,
  chunkedBlobs,
  chunkSize,
  collectScopes,
  defineFeature,
  EdgeCaching,
  type EdgeCachingOptions,
  type Event as DoctorEvent,
  EventLog,
  EventRetention,
  type EventRow,
  type Examination,
  edgeHeaders,
  edgeKeysOf,
  events,
  eventTypesOf,
  everyKey,
  examination,
  type Feature,
  type Fetch,
  type Fetched,
  Fetcher,
  type FetchRequest,
  type Find,
  type Finding,
  type FindOptions,
  type HostConnection,
  HostTransactionError,
  housekeepingJob,
  IdGenerator,
  Ids,
  JobConcurrency,
  JobFailed,
  type JobHandler,
  JobLease,
  JobReleaseTimeout,
  type JobRow,
  Jobs,
  type JoinableTransaction,
  type JoinedConnection,
  jobs,
  type Lock,
  type LockMode,
  lockName,
  makeVersionedCache,
  maximumAttempts,
  type OAuthRecordRow,
  ObserveOperations,
  oauthDigest,
  observeStatement,
  outboxEvents,
  type PlainRow,
  PlatformCalls,
  type Problem,
  type Progress,
  PublicUrl,
  pauseMillis,
  positionOf,
  type RaisedVersions,
  type RateLimitIncrement,
  type RateLimitRow,
  type ReadableBytes,
  type ReadableRecords,
  type ReadError,
  RecordedResources,
  Records,
  RecordsAdapter,
  ReferenceViolation,
  RequestBaseUrl,
  type ResourceLock,
  type RowLock,
  rateLimits,
  readCacheCounts,
  rebuildJob,
  rebuildJobKind,
  rebuiltDataOf,
  registerTransactionMetrics,
  resourceEvents,
  type Scan,
  type SearchHit,
  type SearchResult,
  type SearchTerm,
  type Signals,
  SigningSecret,
  SlowOperationThreshold,
  StorageConflict,
  StorageUnavailable,
  type StoredBytes,
  type StoreStatistics,
  type Subscription,
  type Summary,
  subscribeToEvent,
  Table,
  TableMismatch,
  type TextSearch,
  type TransactionEvent,
  type TransactionEventHandler,
  TransactionEvents,
  totalOrder,
  transactionEvent,
  UniqueViolation,
  Where,
  type WorkspaceSecret,
  WorkspaceSecrets,
  type WritableRecords,
  type WriteError,
  type WriteOptions
} from "@lectern/kernel"
export {
  type AuditRecordRow,
  auditRecords,
  type Backlog,
  type IdempotencyKeyRow,
  idempotencyKeys,
  lockedByOrganization,
  lockedBySpace,
  readBacklog,
  tokenAddresses
} from "@lectern/kernel/tables"
export { makeInputDecoder } from "@lectern/markdown/conditions"
export { editDistance } from "@lectern/markdown/text"
export * from "@lectern/model"
export * from "@lectern/model/errors"
export type { InputDecoder } from "@lectern/model/schema"
export { fieldsOf, unescaped } from "@lectern/model/schema"
export * from "./features/audit/exports.ts"
export * from "./features/change-requests/exports.ts"
export * from "./features/collections/exports.ts"
export * from "./features/comments/exports.ts"
export * from "./features/content/exports.ts"
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
export * from "./features/passkeys/exports.ts"
export * from "./features/pdf/exports.ts"
export * from "./features/permissions/exports.ts"
export * from "./features/places/exports.ts"
export * from "./features/presence/exports.ts"
export * from "./features/programs/exports.ts"
export * from "./features/provisioning/exports.ts"
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
export * from "./workspace/backup/index.ts"
export { countRows, type RowCounts } from "./workspace/countRows.ts"
export { createWorkspace } from "./workspace/createWorkspace.ts"
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
export { OrganizationPurge, type OrganizationPurgeService } from "./workspace/OrganizationPurge.ts"
export type { Promised } from "./workspace/promised.ts"
export { type SecretCounts, Secrets, type SecretsService } from "./workspace/Secrets.ts"
export { tables } from "./workspace/tables.ts"
export type { PromisedUserServices, UserServices } from "./workspace/userServices.ts"
export * as Workspace from "./workspace/Workspace.ts"
export type { WorkspaceOptions } from "./workspace/workspaceOptions.ts"
