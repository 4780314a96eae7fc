/** The public face of `@lectern/core`. */

export { Access, type Caller, roleOn } from "./access/Access.ts"
export { type ApiToken, ApiTokens, CreateApiToken } from "./access/ApiTokens.ts"
export { Authenticator } from "./access/Authenticator.ts"
export { CurrentUser, type Identity } from "./access/CurrentUser.ts"
export {
  type GrantRow,
  grants,
  ListPermissions,
  Share,
  SharedContent,
  TeamPermission,
  UpdatePermission,
  UserPermission
} from "./access/Grant.ts"
export { Grants } from "./access/Grants.ts"
export * as Policy from "./access/Policy.ts"
export { DefaultLevel, Role, RoleOrGuest, roles } from "./access/Role.ts"
export {
  ChangeRequest,
  ChangeRequestId,
  ChangeRequestRef,
  ChangeRequestStatus,
  CreateChangeRequest,
  changeRequests,
  ListChangeRequests,
  UpdateChangeRequest
} from "./change-requests/ChangeRequest.ts"
export { ChangeRequests, MergeResult, UpdateResult } from "./change-requests/ChangeRequests.ts"
export {
  Collection,
  CollectionId,
  CollectionPermissions,
  CreateCollection,
  UpdateCollection
} from "./collections/Collection.ts"
export { Collections, ListCollections } from "./collections/Collections.ts"
export { Move, Pointer, Position, Transfer } from "./collections/Move.ts"
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
} from "./comments/Comment.ts"
export { Comments } from "./comments/Comments.ts"
export { ChangesQuery, SemanticChange, SemanticChanges } from "./content/Changes.ts"
export { Content, ContentOptions, ListFiles, PageOptions, PagePath } from "./content/Content.ts"
export { ContentOf } from "./content/ContentAccess.ts"
export type { Block } from "./content/document/Block.ts"
export { JsonDocument } from "./content/document/Document.ts"
export { labelKey } from "./content/document/references.ts"
export { isVerbatim, parse as parseMarkdown } from "./content/document/syntax.ts"
export { Body, ContentChange, EditContent } from "./content/edit/Batch.ts"
export { EditedContent, EditedPage } from "./content/edit/edit.ts"
export { File, FileId } from "./content/File.ts"
export { type Download, downloadsPath } from "./content/FileUrls.ts"
export { ImportContent, ImportedContent, ImportSource } from "./content/imports/Import.ts"
export { ImportReader, type Read } from "./content/imports/ImportReader.ts"
export { Imports } from "./content/imports/Imports.ts"
export { NotReadable, type ReadingKind, type Readings } from "./content/imports/Reading.ts"
export { Conflict as MergeConflict } from "./content/merge/Conflict.ts"
export { outlineOf } from "./content/outline/Outline.ts"
export { Page as ContentPage, PageId, PageType } from "./content/Page.ts"
export { ReusableContent, ReusableContentId } from "./content/ReusableContent.ts"
export { Revision, RevisionId, RevisionType, revisions } from "./content/Revision.ts"
export type { Check } from "./doctor/Check.ts"
export { Doctor, type Options as DoctorOptions } from "./doctor/Doctor.ts"
export type { Event as DoctorEvent, Finding, Progress, Summary } from "./doctor/Finding.ts"
export {
  createWorkspace,
  type EmbeddedWorkspace,
  type Promised,
  type WorkspaceOf,
  type WorkspaceOptions
} from "./embed.ts"
export * from "./errors.ts"
export {
  Install,
  Installation,
  InstallationId,
  ListInstallations,
  UpdateInstallation
} from "./integrations/Installation.ts"
export { Installations } from "./integrations/Installations.ts"
export {
  Integration,
  IntegrationName,
  ListIntegrations,
  PublishIntegration
} from "./integrations/Integration.ts"
export { Integrations } from "./integrations/Integrations.ts"
export { assetsPath } from "./integrations/IntegrationView.ts"
export { BackgroundWork } from "./jobs/BackgroundWork.ts"
export { type JobRow, jobs } from "./jobs/Job.ts"
export { JobFailed, type JobHandler, JobLease, Jobs, maximumAttempts, pauseMillis } from "./jobs/Jobs.ts"
export {
  ContentLocation,
  Link,
  LinkStats,
  LinkStatus,
  Links as PageOfLinks,
  ListLinks,
  PageLocation
} from "./links/Link.ts"
export { Links } from "./links/Links.ts"
export {
  CreateSpec,
  OpenApiSpec,
  OpenApiSpecContent,
  OpenApiSpecVersion,
  PutSpec,
  SpecSlug,
  SpecSource,
  SpecVersionId
} from "./openapi/OpenApiSpec.ts"
export { OpenApiSpecs, specsPath } from "./openapi/OpenApiSpecs.ts"
export { type ParsedDocument, parseDocument } from "./openapi/parse.ts"
export { ParseFailed, type ParseSpec, SpecParser } from "./openapi/SpecParser.ts"
export { Administration, Bootstrap, CreateUser } from "./organizations/Administration.ts"
export {
  CreateInvite,
  Invite,
  InviteByEmail,
  InvitedByEmail,
  InviteId,
  UpdateInvite
} from "./organizations/Invite.ts"
export { Invites } from "./organizations/Invites.ts"
export { ListMembers, Member, members, UpdateMember } from "./organizations/Member.ts"
export { ListMemberSpaces, MemberSpace, Members } from "./organizations/Members.ts"
export {
  CreateOrganization,
  Domain,
  Organization,
  OrganizationId,
  OrganizationPermissions,
  UpdateOrganization
} from "./organizations/Organization.ts"
export { Organizations } from "./organizations/Organizations.ts"
export { SamlIdentity, SamlLogins, type SamlParties } from "./organizations/saml/SamlLogins.ts"
export {
  CreateSamlProvider,
  SamlProvider,
  SamlProviderId,
  SsoLogin,
  UpdateSamlProvider
} from "./organizations/saml/SamlProvider.ts"
export { SamlProviders } from "./organizations/saml/SamlProviders.ts"
export { ssoPath } from "./organizations/saml/service.ts"
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
} from "./organizations/Team.ts"
export { Teams } from "./organizations/Teams.ts"
export { Email, UpdateUser, User, UserId, users } from "./organizations/User.ts"
export { Users } from "./organizations/Users.ts"
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
} from "./pdf/Pdf.ts"
export { Pdfs } from "./pdf/Pdfs.ts"
export { type PdfAddress, pdfsPath } from "./pdf/PdfUrls.ts"
export { Search } from "./search/Search.ts"
export { SearchIndex } from "./search/SearchIndex.ts"
export { searchPages } from "./search/SearchPage.ts"
export { termsOf } from "./search/SearchQuery.ts"
export {
  SearchPageResult,
  SearchQuery,
  SearchSectionResult,
  SearchSpaceResult
} from "./search/SearchResult.ts"
export { type Fetch, type Fetched, Fetcher, type FetchRequest } from "./shared/Fetcher.ts"
export { Ids } from "./shared/Id.ts"
export { fieldsOf } from "./shared/Issues.ts"
export { defaultLimit, maximumLimit, type Page, PageQuery, pageOf } from "./shared/Page.ts"
export { SigningSecret } from "./shared/Signatures.ts"
export { unescaped } from "./shared/Text.ts"
export { PublicUrl } from "./shared/Urls.ts"
export {
  type AdaptiveClaim,
  type AdaptiveClaims,
  AdaptiveJsonSchema,
  AdaptiveSchema,
  UpdateAdaptiveSchema
} from "./sites/AdaptiveSchema.ts"
export { Customization } from "./sites/Customization.ts"
export { Condition, type Expression, parse as parseCondition } from "./sites/conditions/Condition.ts"
export { type Claims, holds } from "./sites/conditions/evaluate.ts"
export { PublishedSites } from "./sites/PublishedSites.ts"
export { CreateShareLink, ShareLink, ShareLinkId, UpdateShareLink } from "./sites/ShareLink.ts"
export { ShareLinks } from "./sites/ShareLinks.ts"
export {
  CreateSite,
  ListSites,
  Site,
  SiteId,
  SiteSectionId,
  SiteSpaceId,
  SiteVisibility,
  UpdateSite
} from "./sites/Site.ts"
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
} from "./sites/SiteSection.ts"
export { SiteSectionGroups } from "./sites/SiteSectionGroups.ts"
export { SiteSections } from "./sites/SiteSections.ts"
export { PublishedSite, PublishingAuth, UpdatePublishingAuth } from "./sites/SiteSettings.ts"
export {
  AddSiteSpace,
  ListSiteSpaces,
  MoveSiteSpace,
  SiteSpace,
  UpdateSiteSpace
} from "./sites/SiteSpace.ts"
export { SiteSpaces } from "./sites/SiteSpaces.ts"
export { SiteSection, SiteSectionGroup, SiteStructure } from "./sites/SiteStructure.ts"
export { Sites } from "./sites/Sites.ts"
export { SitesSettings } from "./sites/SitesSettings.ts"
export { VisitorQuery } from "./sites/VisitorQuery.ts"
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
} from "./spaces/Space.ts"
export { Spaces } from "./spaces/Spaces.ts"
export * from "./storage/index.ts"
export { tables } from "./tables.ts"
export { PutTranslation, Translation, TranslationId } from "./translations/Translation.ts"
export { Translations } from "./translations/Translations.ts"
export * as Workspace from "./Workspace.ts"
