/** Backups of a workspace, between any two stores. */
export {
  BackupError,
  type BackupProgress,
  type BackupSecret,
  type BackupSource,
  type BlobBytes,
  type OnBackupProgress,
  type SourceError
} from "./BackupSource.ts"
export { decodeRow, encodeRow, type LinesDigest, type LinesHash, makeLinesHash } from "./backupRows.ts"
export { decryptsStoredValues } from "./decryptsStoredValues.ts"
export { type LoadedBackup, type LoadOptions, loadBackup } from "./loadBackup.ts"
export { type ReadStoreOptions, readStore } from "./readStore.ts"
export { type BackupOperation, recordBackup } from "./recordBackup.ts"
export { findStoredSecret, secretFingerprint } from "./secretFingerprint.ts"
