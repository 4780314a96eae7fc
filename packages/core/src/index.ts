/** The public face of `@lectern/core`. */

export { Access, type Caller, roleOn } from "./access/Access.ts"
export { type ApiToken, ApiTokens, CreateApiToken } from "./access/ApiTokens.ts"
export { Authenticator } from "./access/Authenticator.ts"
export { CurrentUser, type Identity } from "./access/CurrentUser.ts"
export { ChangeRequests, MergeResult, UpdateResult } from "./features/change-requests/ChangeRequests.ts"
export { Collections, ListCollections } from "./features/collections/Collections.ts"
export { Comments } from "./features/comments/Comments.ts"
export { Content, ContentOptions, ListFiles, PageOptions, PagePath } from "./features/content/Content.ts"
export { ContentOf } from "./features/content/ContentAccess.ts"
export { labelKey } from "./features/content/document/linkReferences.ts"
export { isVerbatim, parse as parseMarkdown } from "./features/content/document/syntax.ts"
export { EditedContent, EditedPage } from "./features/content/edit/edit.ts"
export { type Download, downloadsPath } from "./features/content/FileUrls.ts"
export { outlineOf } from "./features/content/outline/Outline.ts"
export { readHtml } from "./features/imports/html/readHtml.ts"
export { ImportReader, type Read, readers } from "./features/imports/ImportReader.ts"
export { Imports } from "./features/imports/Imports.ts"
export { NotReadable, type Readers, type ReadingKind, type Readings } from "./features/imports/Reading.ts"
export { unzip } from "./features/imports/unzip.ts"
export { Installations } from "./features/integrations/Installations.ts"
export { Integrations } from "./features/integrations/Integrations.ts"
export { assetsPath } from "./features/integrations/IntegrationView.ts"
export { Links } from "./features/links/Links.ts"
export { OpenApiSpecs, specsPath } from "./features/openapi-specs/OpenApiSpecs.ts"
export { type ParsedDocument, parseDocument } from "./features/openapi-specs/parseDocument.ts"
export { ParseFailed, type ParseSpec, SpecParser } from "./features/openapi-specs/SpecParser.ts"
export { Administration, Bootstrap, CreateUser } from "./features/organizations/Administration.ts"
export { Invites } from "./features/organizations/Invites.ts"
export { ListMemberSpaces, MemberSpace, Members } from "./features/organizations/Members.ts"
export { Organizations } from "./features/organizations/Organizations.ts"
export { Teams } from "./features/organizations/Teams.ts"
export { Pdfs } from "./features/pdf/Pdfs.ts"
export { type PdfAddress, pdfsPath } from "./features/pdf/PdfUrls.ts"
export { Grants } from "./features/permissions/Permissions.ts"
export { SamlIdentity, SamlLogins, type SamlParties } from "./features/saml/SamlLogins.ts"
export { SamlProviders } from "./features/saml/SamlProviders.ts"
export { ssoPath } from "./features/saml/serviceAddresses.ts"
export { Search } from "./features/search/Search.ts"
export { SearchIndex } from "./features/search/SearchIndex.ts"
export { termsOf } from "./features/search/SearchQuery.ts"
export { PublishedSites } from "./features/sites/PublishedSites.ts"
export { ShareLinks } from "./features/sites/ShareLinks.ts"
export { SiteSectionGroups } from "./features/sites/SiteSectionGroups.ts"
export { SiteSections } from "./features/sites/SiteSections.ts"
export { SitesSettings } from "./features/sites/SiteSettings.ts"
export { SiteSpaces } from "./features/sites/SiteSpaces.ts"
export { Sites } from "./features/sites/Sites.ts"
export { Spaces } from "./features/spaces/Spaces.ts"
export { Translations } from "./features/translations/Translations.ts"
export { Users } from "./features/users/Users.ts"
export type { Check } from "./kernel/doctor/Check.ts"
export type { Event as DoctorEvent, Finding, Progress, Summary } from "./kernel/doctor/Finding.ts"
export * from "./kernel/errors.ts"
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
export { defaultLimit, maximumLimit, type Page, PageQuery, pageOf } from "./kernel/pagination/paginate.ts"
export { Ids } from "./kernel/schema/Id.ts"
export { fieldsOf } from "./kernel/schema/schemaIssues.ts"
export { unescaped } from "./kernel/schema/Text.ts"
export { SigningSecret } from "./kernel/security/Signatures.ts"
export * from "./kernel/storage/index.ts"
export {
  ChangeRequest,
  ChangeRequestId,
  ChangeRequestRef,
  ChangeRequestStatus,
  CreateChangeRequest,
  changeRequests,
  ListChangeRequests,
  UpdateChangeRequest
} from "./model/change-requests/ChangeRequest.ts"
export {
  Collection,
  CollectionId,
  CollectionPermissions,
  CreateCollection,
  UpdateCollection
} from "./model/collections/Collection.ts"
export {
  Comment,
  CommentId,
  CommentOptions,
  CommentReply,
  CommentReplyId,
  comments,
  ListComments,
  ListReplies,
  PostComment,
  PostReply,
  UpdateComment,
  UpdateReply
} from "./model/comments/Comment.ts"
export { ChangesQuery, SemanticChange, SemanticChanges } from "./model/content/Changes.ts"
export type { Block } from "./model/content/document/Block.ts"
export { JsonDocument } from "./model/content/document/Document.ts"
export { Body, ContentChange, EditContent } from "./model/content/EditContent.ts"
export { File, FileId } from "./model/content/File.ts"
export { Conflict as MergeConflict } from "./model/content/MergeConflict.ts"
export { Page as ContentPage, PageId, PageType } from "./model/content/Page.ts"
export { ReusableContent, ReusableContentId } from "./model/content/ReusableContent.ts"
export { Revision, RevisionId, RevisionType, revisions } from "./model/content/Revision.ts"
export { ImportContent, ImportedContent, ImportSource } from "./model/imports/Import.ts"
export {
  Install,
  Installation,
  InstallationId,
  ListInstallations,
  UpdateInstallation
} from "./model/integrations/Installation.ts"
export {
  Integration,
  IntegrationName,
  ListIntegrations,
  PublishIntegration
} from "./model/integrations/Integration.ts"
export {
  ContentLocation,
  Link,
  LinkStats,
  LinkStatus,
  Links as PageOfLinks,
  ListLinks,
  PageLocation
} from "./model/links/Link.ts"
export {
  CreateSpec,
  OpenApiSpec,
  OpenApiSpecContent,
  OpenApiSpecVersion,
  PutSpec,
  SpecSlug,
  SpecSource,
  SpecVersionId
} from "./model/openapi-specs/OpenApiSpec.ts"
export {
  CreateInvite,
  Invite,
  InviteByEmail,
  InvitedByEmail,
  InviteId,
  UpdateInvite
} from "./model/organizations/Invite.ts"
export { ListMembers, Member, members, UpdateMember } from "./model/organizations/Member.ts"
export {
  CreateOrganization,
  Domain,
  Organization,
  OrganizationId,
  OrganizationPermissions,
  UpdateOrganization
} from "./model/organizations/Organization.ts"
export {
  CreateTeam,
  ListMemberTeams,
  ListTeams,
  MemberTeam,
  PutTeamMember,
  Team,
  TeamId,
  TeamMember,
  teamMembers,
  teams,
  UpdateTeam,
  UpdateTeamMembers
} from "./model/organizations/Team.ts"
export {
  type Book,
  type BookFile,
  type BookPage,
  type BookTarget,
  type MakePdf,
  PdfFailed,
  PdfMaker,
  PdfOptions,
  PdfUrl
} from "./model/pdf/Pdf.ts"
export {
  type GrantRow,
  grants,
  ListPermissions,
  Share,
  SharedContent,
  TeamPermission,
  UpdatePermission,
  UserPermission
} from "./model/permissions/Permission.ts"
export * as Policy from "./model/roles/Policy.ts"
export { DefaultLevel, Role, RoleOrGuest, roles } from "./model/roles/Role.ts"
export {
  CreateSamlProvider,
  SamlProvider,
  SamlProviderId,
  SsoLogin,
  UpdateSamlProvider
} from "./model/saml/SamlProvider.ts"
export { searchPages } from "./model/search/SearchPage.ts"
export {
  SearchPageResult,
  SearchQuery,
  SearchSectionResult,
  SearchSpaceResult
} from "./model/search/SearchResult.ts"
export {
  type AdaptiveClaim,
  type AdaptiveClaims,
  AdaptiveJsonSchema,
  AdaptiveSchema,
  UpdateAdaptiveSchema
} from "./model/sites/AdaptiveSchema.ts"
export { Customization } from "./model/sites/Customization.ts"
export { Condition, type Expression, parse as parseCondition } from "./model/sites/conditions/Condition.ts"
export { type Claims, holds } from "./model/sites/conditions/evaluate.ts"
export { CreateShareLink, ShareLink, ShareLinkId, UpdateShareLink } from "./model/sites/ShareLink.ts"
export {
  CreateSite,
  ListSites,
  Site,
  SiteId,
  SiteSectionId,
  SiteSpaceId,
  SiteVisibility,
  UpdateSite
} from "./model/sites/Site.ts"
export {
  AddSectionToGroup,
  AddSiteSection,
  AddSiteSectionGroup,
  ListSiteSections,
  MoveSiteSection,
  MoveSiteSectionGroup,
  SiteSectionGroupId,
  UpdateSiteSection,
  UpdateSiteSectionGroup
} from "./model/sites/SiteSection.ts"
export { PublishedSite, PublishingAuth, UpdatePublishingAuth } from "./model/sites/SiteSettings.ts"
export {
  AddSiteSpace,
  ListSiteSpaces,
  MoveSiteSpace,
  SiteSpace,
  UpdateSiteSpace
} from "./model/sites/SiteSpace.ts"
export { SiteSection, SiteSectionGroup, SiteStructure } from "./model/sites/SiteStructure.ts"
export { VisitorQuery } from "./model/sites/VisitorQuery.ts"
export { Move, Pointer, Position, Transfer } from "./model/spaces/Move.ts"
export {
  ContentVisibility,
  CreateSpace,
  EditMode,
  Space,
  SpaceId,
  SpacePermissions,
  SpaceQuery,
  spaces,
  UpdateSpace
} from "./model/spaces/Space.ts"
export { PutTranslation, Translation, TranslationId } from "./model/translations/Translation.ts"
export { Email, UpdateUser, User, UserId, users } from "./model/users/User.ts"
export { BackgroundWork } from "./workspace/BackgroundWork.ts"
export {
  createWorkspace,
  type EmbeddedWorkspace,
  type Promised,
  type WorkspaceOf,
  type WorkspaceOptions
} from "./workspace/createWorkspace.ts"
export { Doctor, type Options as DoctorOptions } from "./workspace/Doctor.ts"
export { tables } from "./workspace/tables.ts"
export * as Workspace from "./workspace/Workspace.ts"
