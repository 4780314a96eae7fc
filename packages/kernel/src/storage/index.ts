export { BlobHash, Blobs, blobs } from "./Blobs.ts"
export type { BlobReader } from "./blobReader.ts"
export {
  type ChunkedBlobRow,
  ChunkedBlobs,
  chunkedBlobs,
  chunkSize,
  type ReadableBytes,
  type StoredBytes
} from "./ChunkedBlobs.ts"
export {
  type HostConnection,
  HostTransactionError,
  type JoinableTransaction,
  type JoinedConnection
} from "./HostConnection.ts"
export type { JoinedOperations } from "./joinedTransaction.ts"
export { type Lock, type LockMode, lockName, type ResourceLock, type RowLock } from "./Lock.ts"
export { Records } from "./Records.ts"
export * from "./RecordsAdapter.ts"
export type { Additions, FindOptions, ReadableRecords, WritableRecords } from "./RecordVerbs.ts"
export { retryConflicts } from "./retryConflicts.ts"
export { positionOf, totalOrder, whereKeys } from "./rowKeys.ts"
export * from "./StorageError.ts"
export * from "./StoreStatistics.ts"
export * as Table from "./Table.ts"
export { type TenantSource, tenantSourceOf } from "./tenants.ts"
export * as Where from "./Where.ts"
