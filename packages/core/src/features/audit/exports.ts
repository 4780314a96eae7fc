export {
  AuditLog,
  type AuditLogOperations,
  type AuditRecordStream,
  WorkspaceAuditLog,
  type WorkspaceAuditLogOperations
} from "./AuditLog.ts"
export { TokenAddresses, type TokenAddressesService } from "./TokenAddresses.ts"
