/** Ids, resource schemas and inputs, without services: what the API declaration and its clients need. */

export type { InvalidField } from "../kernel/errors.ts"
export { defaultLimit, maximumLimit, type Page, PageQuery, pageOf } from "../kernel/schema/Pagination.ts"
export {
  ChangeRequest,
  ChangeRequestId,
  ChangeRequestRef,
  ChangeRequestStatus,
  CreateChangeRequest,
  ListChangeRequests,
  UpdateChangeRequest
} from "./change-requests/ChangeRequest.ts"
export {
  Collection,
  CollectionId,
  CollectionPermissions,
  CreateCollection,
  ListCollections,
  UpdateCollection
} from "./collections/Collection.ts"
export {
  Comment,
  type CommentBody,
  CommentId,
  CommentOptions,
  CommentReply,
  CommentReplyId,
  type CreateReply,
  ListComments,
  ListReplies,
  PostComment,
  PostReply,
  type Reaction,
  type TargetPage,
  UpdateComment,
  UpdateReply
} from "./comments/Comment.ts"
export { type ChangedPage, ChangesQuery, SemanticChange, SemanticChanges } from "./content/Changes.ts"
export { ContentOf, EditableContent } from "./content/ContentOf.ts"
export { ContentOptions, ListFiles, PageOptions, PagePath } from "./content/ContentOptions.ts"
export type * as DocumentBlock from "./content/document/Block.ts"
export { Block } from "./content/document/Block.ts"
export { type Definition, type Footnote, JsonDocument } from "./content/document/Document.ts"
export type * as DocumentInline from "./content/document/Inline.ts"
export {
  Body,
  ContentChange,
  EditContent,
  type InsertPage,
  type NewFile,
  type RevertPage,
  type UpdatePage
} from "./content/EditContent.ts"
export { EditedContent, EditedPage, type EditResult } from "./content/EditedContent.ts"
export { type Dimensions, File, FileId } from "./content/File.ts"
export { MergeConflict, type Region } from "./content/MergeConflict.ts"
export { MergeResult, UpdateResult } from "./content/MergeResult.ts"
export {
  type ComputedSource,
  type ContentRef,
  type GitBlob,
  type ImageRef,
  Page as ContentPage,
  type PageCover,
  PageId,
  type PageLayout,
  type PageTree,
  PageType
} from "./content/Page.ts"
export { ReusableContent, ReusableContentId } from "./content/ReusableContent.ts"
export { type GitCommit, Revision, RevisionId, RevisionType } from "./content/Revision.ts"
export { ImportContent, ImportedContent, ImportSource } from "./imports/Import.ts"
export {
  Install,
  Installation,
  InstallationId,
  ListInstallations,
  UpdateInstallation
} from "./integrations/Installation.ts"
export {
  Integration,
  IntegrationName,
  ListIntegrations,
  type Manifest,
  PublishIntegration
} from "./integrations/Integration.ts"
export {
  ContentLocation,
  Link,
  LinkStats,
  LinkStatus,
  Links as PageOfLinks,
  ListLinks,
  PageLocation
} from "./links/Link.ts"
export {
  CreateSpec,
  OpenApiSpec,
  OpenApiSpecContent,
  OpenApiSpecVersion,
  PutSpec,
  SpecSlug,
  SpecSource,
  SpecVersionId
} from "./openapi-specs/OpenApiSpec.ts"
export { Bootstrap, type Bootstrapped } from "./organizations/Administration.ts"
export {
  CreateInvite,
  Invite,
  InviteByEmail,
  InvitedByEmail,
  InviteId,
  JoinedOrganization,
  UpdateInvite
} from "./organizations/Invite.ts"
export { ListMembers, Member, MemberPing, UpdateMember } from "./organizations/Member.ts"
export {
  CreateOrganization,
  type DefaultContent,
  Domain,
  Organization,
  OrganizationId,
  OrganizationPermissions,
  OrganizationsOfDomain,
  UpdateOrganization
} from "./organizations/Organization.ts"
export {
  CreateTeam,
  ListMemberTeams,
  ListTeams,
  MemberTeam,
  PutTeamMember,
  Team,
  TeamId,
  TeamMember,
  TeamMembership,
  TeamPermissions,
  TeamRole,
  UpdateTeam,
  UpdateTeamMembers
} from "./organizations/Team.ts"
export { type PdfOf, PdfOptions, PdfUrl } from "./pdf/Pdf.ts"
export {
  ListPermissions,
  Share,
  SharedContent,
  TeamPermission,
  UpdatePermission,
  UserPermission
} from "./permissions/Permission.ts"
export * as Policy from "./roles/Policy.ts"
export { DefaultLevel, Role, RoleOrGuest, roles } from "./roles/Role.ts"
export {
  FinishSamlLogin,
  SamlIdentity,
  type SamlIdentityProvider,
  type SamlLogin,
  type SamlLoginRequest,
  type SamlParties,
  type SamlService
} from "./saml/SamlLogin.ts"
export {
  CreateSamlProvider,
  SamlProvider,
  SamlProviderId,
  SsoLogin,
  SsoLogins,
  UpdateSamlProvider
} from "./saml/SamlProvider.ts"
export {
  SearchPageResult,
  SearchQuery,
  SearchSectionResult,
  SearchSpaceResult
} from "./search/SearchResult.ts"
export {
  type AdaptiveClaim,
  type AdaptiveClaims,
  AdaptiveJsonSchema,
  AdaptiveSchema,
  UpdateAdaptiveSchema
} from "./sites/AdaptiveSchema.ts"
export { Customization } from "./sites/Customization.ts"
export { Condition } from "./sites/conditions/Condition.ts"
export { PublishedSite } from "./sites/PublishedSite.ts"
export { PublishingAuth, UpdatePublishingAuth } from "./sites/PublishingAuth.ts"
export { CreateShareLink, ShareLink, ShareLinkId, UpdateShareLink } from "./sites/ShareLink.ts"
export {
  CreateSite,
  ListSites,
  Site,
  SiteId,
  SiteSectionId,
  SiteSpaceId,
  SiteVisibility,
  ThemedUrl,
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
export { AddSiteSpace, ListSiteSpaces, MoveSiteSpace, SiteSpace, UpdateSiteSpace } from "./sites/SiteSpace.ts"
export {
  type SectionStructure,
  SiteSection,
  SiteSectionGroup,
  type SiteSpaceStructure,
  SiteStructure
} from "./sites/SiteStructure.ts"
export { VisitorQuery } from "./sites/VisitorQuery.ts"
export { ListMemberSpaces, MemberSpace } from "./spaces/MemberSpace.ts"
export { Move, Pointer, Position, Transfer } from "./spaces/Move.ts"
export {
  ContentVisibility,
  CreateSpace,
  EditMode,
  Space,
  SpaceId,
  SpacePermissions,
  SpaceQuery,
  UpdateSpace
} from "./spaces/Space.ts"
export { type ApiToken, ApiTokenId, CreateApiToken, type CreatedApiToken } from "./tokens/ApiToken.ts"
export { PutTranslation, Translation, TranslationId } from "./translations/Translation.ts"
export { type Account, CreateUser, Email, UpdateUser, User, UserId } from "./users/User.ts"
