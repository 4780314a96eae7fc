/** The public entry point of `@lectern/core`. */
export { Access, type Caller, roleOn } from "./access/Access.ts"
export { Authenticator, type Credentials } from "./access/Authenticator.ts"
export { CurrentUser, type Identity } from "./access/CurrentUser.ts"
export type { Grant, Granted, GrantedReader, GrantedRecords } from "./access/grants/Grant.ts"
export { SystemGrant } from "./access/grants/SystemGrant.ts"
export { type CommandHook, CommandHooks, type ExecutedCommand } from "./access/operations/CommandHooks.ts"
export type {
  AccessError,
  Command,
  Operation,
  OperatorOperation,
  Plain,
  Query
} from "./access/operations/Operation.ts"
export type { OperationDefinition, Rule } from "./access/operations/OperationDefinition.ts"
export { Operations } from "./access/operations/Operations.ts"
export { ObserveOperations } from "./access/operations/observed.ts"
export { ChangeRequests } from "./features/change-requests/ChangeRequests.ts"
export { Collections } from "./features/collections/Collections.ts"
export { Comments } from "./features/comments/Comments.ts"
export { Content } from "./features/content/Content.ts"
export { labelKey } from "./features/content/document/linkReferences.ts"
export { isVerbatim, parse as parseMarkdown } from "./features/content/document/syntax.ts"
export { type Download, downloadsPath } from "./features/content/FileUrls.ts"
export { outlineOf } from "./features/content/outline/Outline.ts"
export { ImportReader, type Read } from "./features/conversion/ImportReader.ts"
export { NotReadable, type ReadingKind, type Readings } from "./features/conversion/Reading.ts"
export { Imports } from "./features/imports/Imports.ts"
export { Installations } from "./features/integrations/Installations.ts"
export { Integrations } from "./features/integrations/Integrations.ts"
export { assetsPath } from "./features/integrations/IntegrationView.ts"
export { Links } from "./features/links/Links.ts"
export { OpenApiSpecs, specsPath } from "./features/openapi-specs/OpenApiSpecs.ts"
export { type ParsedDocument, parseDocument } from "./features/openapi-specs/parseDocument.ts"
export { ParseFailed, type ParseSpec, SpecParser } from "./features/openapi-specs/SpecParser.ts"
export { type SpecPage, specPagesOf } from "./features/openapi-specs/specPages.ts"
export { Administration } from "./features/organizations/Administration.ts"
export { Invites } from "./features/organizations/Invites.ts"
export { Members } from "./features/organizations/Members.ts"
export { Organizations } from "./features/organizations/Organizations.ts"
export { Teams } from "./features/organizations/Teams.ts"
export {
  type Book,
  type BookFile,
  type BookPage,
  type BookTarget,
  type MakePdf,
  PdfFailed,
  PdfMaker
} from "./features/pdf/PdfMaker.ts"
export { Pdfs } from "./features/pdf/Pdfs.ts"
export { type PdfAddress, pdfsPath } from "./features/pdf/PdfUrls.ts"
export { Permissions } from "./features/permissions/Permissions.ts"
export { SamlLogins } from "./features/saml/SamlLogins.ts"
export { SamlProviders } from "./features/saml/SamlProviders.ts"
export { ssoPath } from "./features/saml/serviceAddresses.ts"
export { Search } from "./features/search/Search.ts"
export { SearchIndex } from "./features/search/SearchIndex.ts"
export { termsOf } from "./features/search/SearchQuery.ts"
export { PublishedSites } from "./features/sites/PublishedSites.ts"
export { ShareLinks } from "./features/sites/ShareLinks.ts"
export { SiteSectionGroups } from "./features/sites/SiteSectionGroups.ts"
export { SiteSections } from "./features/sites/SiteSections.ts"
export { SiteSettings } from "./features/sites/SiteSettings.ts"
export { SiteSpaces } from "./features/sites/SiteSpaces.ts"
export { Sites } from "./features/sites/Sites.ts"
export { Spaces } from "./features/spaces/Spaces.ts"
export { ApiTokens } from "./features/tokens/ApiTokens.ts"
export { Translations } from "./features/translations/Translations.ts"
export { Users } from "./features/users/Users.ts"
export type { Check } from "./kernel/doctor/Check.ts"
export type { Event as DoctorEvent, Finding, Progress, Summary } from "./kernel/doctor/Finding.ts"
export * from "./kernel/errors.ts"
export {
  type TransactionEvent,
  type TransactionEventHandler,
  TransactionEvents,
  transactionEvent
} from "./kernel/events/TransactionEvents.ts"
export { Ids } from "./kernel/ids/Ids.ts"
export { type JobRow, jobs } from "./kernel/jobs/Job.ts"
export {
  JobFailed,
  type JobHandler,
  JobLease,
  Jobs,
  maximumAttempts,
  pauseMillis
} from "./kernel/jobs/Jobs.ts"
export { type Fetch, type Fetched, Fetcher, type FetchRequest } from "./kernel/network/Fetcher.ts"
export { PublicUrl } from "./kernel/network/PublicUrl.ts"
export { fieldsOf } from "./kernel/schema/schemaIssues.ts"
export { unescaped } from "./kernel/schema/Text.ts"
export { SigningSecret } from "./kernel/security/Signatures.ts"
export * from "./kernel/storage/index.ts"
export { snapshotCache } from "./kernel/storage/snapshotCache.ts"
export { changeRequests } from "./model/change-requests/ChangeRequest.ts"
export { comments } from "./model/comments/Comment.ts"
export { revisions } from "./model/content/Revision.ts"
export * from "./model/index.ts"
export { members } from "./model/organizations/Member.ts"
export { teamMembers, teams } from "./model/organizations/Team.ts"
export { type GrantRow, grants } from "./model/permissions/Permission.ts"
export { searchPages } from "./model/search/SearchPage.ts"
export { type Expression, parse as parseCondition } from "./model/sites/conditions/Condition.ts"
export { type Claims, holds } from "./model/sites/conditions/evaluate.ts"
export { spaces } from "./model/spaces/Space.ts"
export { users } from "./model/users/User.ts"
export { BackgroundWork } from "./workspace/BackgroundWork.ts"
export {
  createWorkspace,
  type EmbeddedWorkspace,
  type LogEntry,
  type WorkspaceOf,
  type WorkspaceOptions
} from "./workspace/createWorkspace.ts"
export { Doctor, type Options as DoctorOptions } from "./workspace/Doctor.ts"
export { isLecternError, type LecternError } from "./workspace/LecternError.ts"
export type { Promised } from "./workspace/promised.ts"
export { tables } from "./workspace/tables.ts"
export type { PromisedUserServices, UserServices } from "./workspace/userServices.ts"
export * as Workspace from "./workspace/Workspace.ts"
