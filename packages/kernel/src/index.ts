/** Records and the port of a store, backups of its rows, events, jobs, checks and secrets: the names that services and stores use. */

export * from "./backup/BackupSource.ts"
export { decodeRow, encodeRow, type LinesDigest, type LinesHash, makeLinesHash } from "./backup/backupRows.ts"
export { eachRowsWhere } from "./backup/eachRows.ts"
export { firstEncodedSchema, plainBlobs, readStoredBlobs } from "./backup/readStoredBlobs.ts"
export { findStoredSecret, secretFingerprint } from "./backup/secretFingerprint.ts"
export {
  type AnyRow,
  anyRowsOf,
  type Check,
  type DoctorRecords,
  type Examination,
  examination,
  type Light,
  makeTools,
  type Problem,
  pageSize,
  type RunState,
  readable,
  type Scan,
  type Tools
} from "./doctor/Check.ts"
export { requireCount } from "./doctor/countChecks.ts"
export type { Event, Finding, Progress, Summary } from "./doctor/Finding.ts"
export { jobExaminations } from "./doctor/jobChecks.ts"
export { byId, counts, inBatches, rowsWith } from "./doctor/lookups.ts"
export { declaredReferencesOf, requireReferences } from "./doctor/referenceChecks.ts"
export { tenantsOf } from "./doctor/tenantChecks.ts"
export { type EventFilter, EventLog } from "./events/EventLog.ts"
export {
  type Subscription,
  subscribeToEvent,
  type TransactionEvent,
  type TransactionEventHandler,
  TransactionEvents,
  transactionEvent
} from "./events/TransactionEvents.ts"
export {
  type AnyFeature,
  defineFeature,
  type Feature,
  type InOrder,
  type ProvidedBy,
  type ServiceTags,
  type UserServiceTags,
  userServiceTagsOf
} from "./features/Feature.ts"
export { firstIdAt, IdGenerator, Ids, type IdsService, timeOfId } from "./ids/Ids.ts"
export { BackgroundWork, type BackgroundWorkService, JobConcurrency } from "./jobs/BackgroundWork.ts"
export { housekeepingJob } from "./jobs/housekeepingJob.ts"
export { type JobRow, jobs } from "./jobs/Job.ts"
export {
  JobFailed,
  type JobHandler,
  JobLease,
  JobReleaseTimeout,
  Jobs,
  type JobsService,
  maximumAttempts,
  pauseMillis
} from "./jobs/Jobs.ts"
export { rebuildJob, rebuildJobKind, rebuiltDataOf } from "./jobs/rebuildJob.ts"
export type { Worker } from "./jobs/Worker.ts"
export {
  EdgeCaching,
  type EdgeCachingOptions,
  edgeHeaders,
  edgeKeysOf,
  everyKey
} from "./network/EdgeCaching.ts"
export { type Fetch, type Fetched, Fetcher, type FetchRequest } from "./network/Fetcher.ts"
export { ApplicationHosts, makeLinkBase, PublicUrl, RequestBaseUrl } from "./network/PublicUrl.ts"
export {
  acceptsSessions,
  formatSessionCookie,
  InsecureSessions,
  isLoopbackHost,
  readSessionCookie,
  type SessionCookie,
  sessionCookieOf
} from "./network/sessionCookie.ts"
export {
  apiResource,
  makeOAuthRecords,
  type NewOAuthRecord,
  type OAuthRecordRow,
  type OAuthRecords,
  oauthDigest,
  oauthRecords,
  type ProgramAccess,
  programAccessOf
} from "./oauth/oauthRecords.ts"
export { type CacheCounts, cacheCountsOf, readCacheCounts } from "./observability/cacheCounts.ts"
export {
  durationBoundaries,
  ObserveOperations,
  OperationStatements,
  observeStatement,
  SlowOperationThreshold,
  StatementTrace
} from "./observability/statements.ts"
export { registerTransactionMetrics } from "./observability/transactionMetrics.ts"
export {
  paginateInMemory,
  paginateNewestFirst,
  paginateRanked,
  type RankedPosition,
  readPage
} from "./pagination/paginate.ts"
export { callPlatform, PlatformCalls } from "./platform.ts"
export {
  addRateLimitCounts,
  type RateLimitIncrement,
  type RateLimitRow,
  rateLimits
} from "./rate-limits/rateLimitCounts.ts"
export { Encryption, type EncryptionService } from "./security/Encryption.ts"
export {
  generatedSecretPlace,
  isSame,
  redactSecrets,
  Signatures,
  SigningSecret,
  secrets,
  toWorkspaceKey,
  type WorkspaceSecret,
  WorkspaceSecrets
} from "./security/Signatures.ts"
export { isSealed, unseal, type WorkspaceKey } from "./security/sealing.ts"
export { hashOf, renewalMillis } from "./storage/Blobs.ts"
export {
  BlobCompression,
  decodeBlobs,
  encodeBlob,
  encodedColumns,
  type StoredBlob
} from "./storage/blobEncoding.ts"
export { CacheSize, cacheShare } from "./storage/CacheSize.ts"
export type { HeldBytes, Holder } from "./storage/ChunkedBlobs.ts"
export { collectScopes, dependOnScopes } from "./storage/cacheVersions.ts"
export { type EventRow, events, type OutboxRow, outboxEvents } from "./storage/eventTables.ts"
export { IsInHostTransaction } from "./storage/HostConnection.ts"
export * from "./storage/index.ts"
export type { RecordsService } from "./storage/Records.ts"
export {
  type AnyResourceEvents,
  CurrentCause,
  type EventCause,
  EventRetention,
  type EventTypeOf,
  eventTypesOf,
  RecordedResources,
  type ResourceEvents,
  resourceEvents
} from "./storage/ResourceEvents.ts"
export { type RowChange, recordingAdapter, writeOutbox } from "./storage/recordChanges.ts"
export type { Scope } from "./storage/Scope.ts"
export { type AnyTable, generatedValue } from "./storage/Table.ts"
export { isTemporaryUse, isUnusedBefore, timeOfUse } from "./storage/temporaryUse.ts"
export { decodeSet, encodeMember, encodeSet } from "./storage/textSet.ts"
export { type Lookup, makeVersionedCache } from "./storage/versionedCache.ts"
export type { AnyWhere, Scalar } from "./storage/Where.ts"
export { now, toTimestamp } from "./time.ts"
