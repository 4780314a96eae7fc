/** Backups of a workspace, between any two stores. */
export {
  BackupError,
  type BackupProgress,
  type BackupSecret,
  type BackupSource,
  type BlobBytes,
  decodeRow,
  encodeRow,
  findStoredSecret,
  type LinesDigest,
  type LinesHash,
  makeLinesHash,
  type OnBackupProgress,
  type SourceError,
  secretFingerprint
} from "@lectern/kernel"
export { decryptsStoredValues } from "./decryptsStoredValues.ts"
export { type LoadedBackup, type LoadOptions, loadBackup } from "./loadBackup.ts"
export { type ReadStoreOptions, readStore } from "./readStore.ts"
export { type BackupOperation, recordBackup } from "./recordBackup.ts"
