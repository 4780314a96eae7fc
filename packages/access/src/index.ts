/** Authentication, authorization, grants and the definition of operations: what features use to serve a caller. */

export { type AuditCallDetails, addAuditConcerns, addAuditDetails } from "./AuditedCall.ts"
export { Authenticator, type Credentials } from "./Authenticator.ts"
export { CurrentRequiredAccess, noRequiredAccess, noteCheck } from "./accessChecks.ts"
export {
  hasScope,
  isLimited,
  requireGrantable,
  requireGrantableScopes,
  requireRoleIn,
  requireScopeOfInstallation
} from "./accessErrors.ts"
export { makeDenialLimit } from "./audit/denialLimit.ts"
export { noteOwnCall } from "./audit/noteOwnCall.ts"
export { SecurityLog, type SecurityLogEntry } from "./audit/SecurityLog.ts"
export { CallOrigin, type Origin, type TokenUse } from "./CallOrigin.ts"
export {
  anonymousVisitor,
  CurrentToken,
  CurrentUser,
  type Identity,
  type SignIn,
  type TokenIdentity,
  visitorIdentity
} from "./CurrentUser.ts"
export type { Grant, Granted, GrantedReader, GrantedRecords } from "./grants/Grant.ts"
export * as GrantedSpaces from "./grants/GrantedSpaces.ts"
export { SystemGrant } from "./grants/SystemGrant.ts"
export { HostSignIn, type HostSignInSettings } from "./HostSignIn.ts"
export {
  canActIn,
  isFromSso,
  loginProviderOf,
  whereCanActIn,
  whereSsoSatisfied
} from "./limits/identityLimits.ts"
export {
  OrganizationQuotas,
  type Quota,
  type Quotas,
  quotaOf,
  readUsage,
  requireQuota,
  requireQuotaForSpaces,
  type UsageCounts
} from "./limits/quotas.ts"
export { OrganizationMeter } from "./OrganizationMeter.ts"
export {
  type Authorization,
  admitsAnonymous,
  admitsVisitors,
  alsoByInput,
  alsoForVisitors,
  type TargetError
} from "./operations/Authorization.ts"
export { AuditRetention } from "./operations/auditWriter.ts"
export { CommandGuard, type CommandGuardFunction } from "./operations/CommandGuard.ts"
export type { Defined } from "./operations/defineOperation.ts"
export {
  requireSignInSettings,
  withFreshSignIn,
  withRecentSignIn,
  withSignInSettings
} from "./operations/freshSignIn.ts"
export { withKeyReader } from "./operations/keyReaders.ts"
export { type LockList, Locks } from "./operations/Locks.ts"
export type {
  AccessError,
  Command,
  Operation,
  OperatorOperation,
  Plain,
  Query
} from "./operations/Operation.ts"
export type { OperationDefinition, Rule } from "./operations/OperationDefinition.ts"
export {
  type AfterHook,
  afterHookJobs,
  type BeforeHook,
  type ExecutedCall,
  type HookedCall,
  OperationHooks,
  rejectCommand
} from "./operations/OperationHooks.ts"
export { Operations } from "./operations/Operations.ts"
export { withOwnPasskey } from "./operations/ownPasskey.ts"
export {
  noRemainingAccess,
  type RemainingAccess,
  remainingAccess,
  requireRemainingAccess
} from "./operations/requiredAccess.ts"
export { requireInUse } from "./organizationsInUse.ts"
export { isFreshSignIn, isRecentSignIn } from "./recentSignIn.ts"
export { Access, type AccessService, type Caller, roleOn, roleOnSite } from "./roles/Access.ts"
export { requireSecondFactor, whereSecondFactorSatisfied } from "./roles/secondFactor.ts"
export { whereSharedSite, whereVisibleSite } from "./roles/whereRoles.ts"
export { makeSignedUrlCheck, signedUrlSeconds } from "./signedUrls.ts"
export {
  loadStoredStructure,
  loadStructure,
  type StoredStructure,
  whereNotTrashed,
  withoutSpaces
} from "./structures/loadStructure.ts"
export { decryptPrivateKey } from "./visitors/decryptPrivateKey.ts"
export {
  type AdmittedVisitor,
  type LoadedSite,
  spaceForVisitor,
  type ViewableSite,
  type VisitedSite,
  VisitorAccess
} from "./visitors/VisitorAccess.ts"
export { visibleCustomization } from "./visitors/verifyVisitor.ts"
