/**
 * The endpoint table of the specification: the operations of every Lectern server under `/v1`, with the exact status of
 * a successful response and the id in the public contract.
 */

import type { OptionalOperationId } from "./optionalOperations.ts"

type Row<Id extends string> = readonly [
  group: string,
  method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT",
  path: string,
  status: 200 | 201 | 204 | 205,
  operationId: Id
]

const rows = <const Id extends string>(table: ReadonlyArray<Row<Id>>): ReadonlyArray<Row<Id>> => table

// biome-ignore format: a table
const specified = rows([
  ["Collections", "GET", "/v1/collections/{collectionId}", 200, "getCollectionById"],
  ["Collections", "DELETE", "/v1/collections/{collectionId}", 205, "deleteCollectionById"],
  ["Collections", "PATCH", "/v1/collections/{collectionId}", 200, "updateCollectionById"],
  ["Collections", "GET", "/v1/collections/{collectionId}/spaces", 200, "listSpacesInCollectionById"],
  ["Collections", "POST", "/v1/collections/{collectionId}/move", 200, "moveCollection"],
  ["Collections", "POST", "/v1/collections/{collectionId}/transfer", 200, "transferCollection"],
  ["Collections", "GET", "/v1/orgs/{organizationId}/collections", 200, "listCollectionsInOrganizationById"],
  ["Collections", "POST", "/v1/orgs/{organizationId}/collections", 201, "createCollection"],
  ["Spaces", "GET", "/v1/spaces/{spaceId}", 200, "getSpaceById"],
  ["Spaces", "DELETE", "/v1/spaces/{spaceId}", 205, "deleteSpaceById"],
  ["Spaces", "PATCH", "/v1/spaces/{spaceId}", 200, "updateSpaceById"],
  ["Spaces", "POST", "/v1/spaces/{spaceId}/duplicate", 201, "duplicateSpace"],
  ["Spaces", "POST", "/v1/spaces/{spaceId}/restore", 200, "restoreSpace"],
  ["Spaces", "POST", "/v1/spaces/{spaceId}/move", 200, "moveSpace"],
  ["Spaces", "POST", "/v1/spaces/{spaceId}/transfer", 200, "transferSpace"],
  ["Spaces", "GET", "/v1/spaces/{spaceId}/links", 200, "listSpaceLinks"],
  ["Space content", "GET", "/v1/spaces/{spaceId}/search", 200, "searchSpaceContent"],
  ["Space content", "GET", "/v1/spaces/{spaceId}/content", 200, "getCurrentRevision"],
  ["Space content", "POST", "/v1/spaces/{spaceId}/content/import", 201, "importContent"],
  ["Space content", "GET", "/v1/spaces/{spaceId}/content/pages", 200, "listPages"],
  ["Space content", "GET", "/v1/spaces/{spaceId}/content/files", 200, "listFiles"],
  ["Space content", "GET", "/v1/spaces/{spaceId}/content/files/{fileId}", 200, "getFileById"],
  ["Space content", "GET", "/v1/spaces/{spaceId}/content/files/{fileId}/backlinks", 200, "listSpaceFileBacklinks"],
  ["Space content", "GET", "/v1/spaces/{spaceId}/content/page/{pageId}", 200, "getPageById"],
  ["Space content", "GET", "/v1/spaces/{spaceId}/content/page/{pageId}/links", 200, "listPageLinksInSpace"],
  ["Space comments", "GET", "/v1/spaces/{spaceId}/comments", 200, "listCommentsInSpace"],
  ["Space comments", "POST", "/v1/spaces/{spaceId}/comments", 200, "postCommentInSpace"],
  ["Space comments", "GET", "/v1/spaces/{spaceId}/comments/{commentId}", 200, "getCommentInSpace"],
  ["Space comments", "PUT", "/v1/spaces/{spaceId}/comments/{commentId}", 200, "updateCommentInSpace"],
  ["Space comments", "DELETE", "/v1/spaces/{spaceId}/comments/{commentId}", 205, "deleteCommentInSpace"],
  ["Space comments", "GET", "/v1/spaces/{spaceId}/comments/{commentId}/replies", 200, "listCommentRepliesInSpace"],
  ["Space comments", "POST", "/v1/spaces/{spaceId}/comments/{commentId}/replies", 200, "postCommentReplyInSpace"],
  ["Space comments", "GET", "/v1/spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}", 200, "getCommentReplyInSpace"],
  ["Space comments", "PUT", "/v1/spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}", 200, "updateCommentReplyInSpace"],
  ["Change requests", "GET", "/v1/spaces/{spaceId}/change-requests", 200, "listChangeRequestsForSpace"],
  ["Change requests", "POST", "/v1/spaces/{spaceId}/change-requests", 201, "createChangeRequest"],
  ["Change requests", "GET", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}", 200, "getChangeRequestById"],
  ["Change requests", "PATCH", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}", 200, "updateChangeRequestById"],
  ["Change requests", "POST", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge", 200, "mergeChangeRequest"],
  ["Change requests", "POST", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/update", 200, "updateChangeRequest"],
  ["Change requests", "GET", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/pdf", 200, "getChangeRequestPDF"],
  ["Change request content", "GET", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", 200, "getRevisionOfChangeRequestById"],
  ["Change request content", "POST", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/import", 201, "importContentInChangeRequest"],
  ["Change request content", "GET", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/pages", 200, "listPagesInChangeRequest"],
  ["Change request content", "GET", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/files", 200, "listFilesInChangeRequestById"],
  ["Change request content", "GET", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId}", 200, "getFileInChangeRequestById"],
  ["Change request content", "GET", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId}/backlinks", 200, "listChangeRequestFileBacklinks"],
  ["Change request content", "GET", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}", 200, "getPageInChangeRequestById"],
  ["Change request content", "GET", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/links", 200, "listPageLinksInChangeRequest"],
  ["Change request comments", "GET", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments", 200, "listCommentsInChangeRequest"],
  ["Change request comments", "POST", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments", 200, "postCommentInChangeRequest"],
  ["Change request comments", "GET", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}", 200, "getCommentInChangeRequest"],
  ["Change request comments", "PUT", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}", 200, "updateCommentInChangeRequest"],
  ["Change request comments", "DELETE", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}", 205, "deleteCommentInChangeRequest"],
  ["Change request comments", "GET", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies", 200, "listCommentRepliesInChangeRequest"],
  ["Change request comments", "POST", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies", 200, "postCommentReplyInChangeRequest"],
  ["Change request comments", "GET", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId}", 200, "getCommentReplyInChangeRequest"],
  ["Docs sites", "GET", "/v1/orgs/{organizationId}/sites", 200, "listSites"],
  ["Docs sites", "POST", "/v1/orgs/{organizationId}/sites", 201, "createSite"],
  ["Docs sites", "GET", "/v1/orgs/{organizationId}/sites/{siteId}", 200, "getSiteById"],
  ["Docs sites", "DELETE", "/v1/orgs/{organizationId}/sites/{siteId}", 205, "deleteSiteById"],
  ["Docs sites", "PATCH", "/v1/orgs/{organizationId}/sites/{siteId}", 200, "updateSiteById"],
  ["Docs sites", "GET", "/v1/orgs/{organizationId}/sites/{siteId}/adaptive-schema", 200, "getSiteAdaptiveSchema"],
  ["Docs sites", "PUT", "/v1/orgs/{organizationId}/sites/{siteId}/adaptive-schema", 200, "updateSiteAdaptiveSchema"],
  ["Docs sites", "GET", "/v1/orgs/{organizationId}/sites/{siteId}/published", 200, "getPublishedContentSite"],
  ["Site sections", "GET", "/v1/orgs/{organizationId}/sites/{siteId}/sections", 200, "listSiteSections"],
  ["Site sections", "POST", "/v1/orgs/{organizationId}/sites/{siteId}/sections", 201, "addSectionToSite"],
  ["Site sections", "DELETE", "/v1/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}", 205, "deleteSiteSectionById"],
  ["Site sections", "PATCH", "/v1/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}", 200, "updateSiteSectionById"],
  ["Site sections", "POST", "/v1/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}/move", 200, "moveSiteSection"],
  ["Site section groups", "GET", "/v1/orgs/{organizationId}/sites/{siteId}/section-groups", 200, "listSiteSectionGroups"],
  ["Site section groups", "POST", "/v1/orgs/{organizationId}/sites/{siteId}/section-groups", 201, "addSectionGroupToSite"],
  ["Site section groups", "DELETE", "/v1/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}", 205, "deleteSiteSectionGroupById"],
  ["Site section groups", "PATCH", "/v1/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}", 200, "updateSiteSectionGroupById"],
  ["Site section groups", "POST", "/v1/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/sections", 201, "addSectionToGroup"],
  ["Site section groups", "DELETE", "/v1/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/sections/{siteSectionId}", 205, "removeSectionFromGroup"],
  ["Site section groups", "POST", "/v1/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/move", 200, "moveSiteSectionGroup"],
  ["Site spaces", "GET", "/v1/orgs/{organizationId}/sites/{siteId}/site-spaces", 200, "listSiteSpaces"],
  ["Site spaces", "POST", "/v1/orgs/{organizationId}/sites/{siteId}/site-spaces", 201, "addSpaceToSite"],
  ["Site spaces", "DELETE", "/v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}", 205, "deleteSiteSpaceById"],
  ["Site spaces", "PATCH", "/v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}", 200, "updateSiteSpaceById"],
  ["Site spaces", "POST", "/v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/move", 200, "moveSiteSpace"],
  ["Site share links", "GET", "/v1/orgs/{organizationId}/sites/{siteId}/share-links", 200, "listSiteShareLinks"],
  ["Site share links", "POST", "/v1/orgs/{organizationId}/sites/{siteId}/share-links", 201, "createSiteShareLink"],
  ["Site share links", "DELETE", "/v1/orgs/{organizationId}/sites/{siteId}/share-links/{shareLinkId}", 205, "deleteSiteShareLinkById"],
  ["Site share links", "PATCH", "/v1/orgs/{organizationId}/sites/{siteId}/share-links/{shareLinkId}", 200, "updateSiteShareLinkById"],
  ["Organizations", "GET", "/v1/orgs", 200, "listOrganizationsForAuthenticatedUser"],
  ["Organizations", "GET", "/v1/orgs/{organizationId}", 200, "getOrganizationById"],
  ["Organizations", "PATCH", "/v1/orgs/{organizationId}", 200, "updateOrganizationById"],
  ["Organizations", "GET", "/v1/orgs/{organizationId}/link-invites/{inviteId}", 200, "getOrganizationInviteLink"],
  ["Organizations", "PATCH", "/v1/orgs/{organizationId}/link-invites/{inviteId}", 200, "updateOrganizationInviteById"],
  ["Organizations", "DELETE", "/v1/orgs/{organizationId}/link-invites/{inviteId}", 205, "deleteOrganizationInviteById"],
  ["Organizations", "GET", "/v1/orgs/{organizationId}/search", 200, "searchOrganizationContent"],
  ["Organizations", "GET", "/v1/email-domains/{emailDomain}/orgs", 200, "getOrganizationsForEmailDomain"],
  ["Organization members", "GET", "/v1/orgs/{organizationId}/members", 200, "listMembersInOrganizationById"],
  ["Organization members", "GET", "/v1/orgs/{organizationId}/members/{userId}", 200, "getMemberInOrganizationById"],
  ["Organization members", "PATCH", "/v1/orgs/{organizationId}/members/{userId}", 200, "updateMemberInOrganizationById"],
  ["Organization members", "DELETE", "/v1/orgs/{organizationId}/members/{userId}", 204, "removeMemberFromOrganizationById"],
  ["Organization members", "POST", "/v1/orgs/{organizationId}/ping", 200, "updateOrganizationMemberLastSeenAt"],
  ["Organization members", "POST", "/v1/orgs/{organizationId}/members/{userId}/sso", 200, "setUserAsSSOMemberForOrganization"],
  ["Organization members", "GET", "/v1/orgs/{organizationId}/members/{userId}/spaces", 200, "listSpacesForOrganizationMember"],
  ["Organization members", "GET", "/v1/orgs/{organizationId}/members/{userId}/teams", 200, "listTeamsForOrganizationMember"],
  ["Teams' members", "GET", "/v1/orgs/{organizationId}/teams/{teamId}/members", 200, "listTeamMembersInOrganizationById"],
  ["Teams' members", "PUT", "/v1/orgs/{organizationId}/teams/{teamId}/members", 204, "updateMembersInOrganizationTeam"],
  ["Teams' members", "PUT", "/v1/orgs/{organizationId}/teams/{teamId}/members/{userId}", 204, "addMemberToOrganizationTeamById"],
  ["Teams' members", "DELETE", "/v1/orgs/{organizationId}/teams/{teamId}/members/{userId}", 204, "deleteMemberFromOrganizationTeamById"],
  ["SAML providers and SSO", "GET", "/v1/orgs/{organizationId}/saml", 200, "listSAMLProvidersInOrganizationById"],
  ["SAML providers and SSO", "POST", "/v1/orgs/{organizationId}/saml", 201, "createOrganizationSAMLProvider"],
  ["SAML providers and SSO", "GET", "/v1/orgs/{organizationId}/saml/{samlProviderId}", 200, "getOrganizationSAMLProviderById"],
  ["SAML providers and SSO", "PATCH", "/v1/orgs/{organizationId}/saml/{samlProviderId}", 200, "updateOrganizationSAMLProvider"],
  ["SAML providers and SSO", "DELETE", "/v1/orgs/{organizationId}/saml/{samlProviderId}", 204, "deleteOrganizationSAMLProvider"],
  ["SAML providers and SSO", "GET", "/v1/orgs/{organizationId}/sso", 200, "listSSOProviderLoginsInOrganization"],
  ["OpenAPI specs", "GET", "/v1/orgs/{organizationId}/openapi", 200, "listOpenAPISpecs"],
  ["OpenAPI specs", "POST", "/v1/orgs/{organizationId}/openapi", 201, "createOpenAPISpec"],
  ["OpenAPI specs", "GET", "/v1/orgs/{organizationId}/openapi/{specSlug}", 200, "getOpenAPISpecBySlug"],
  ["OpenAPI specs", "PUT", "/v1/orgs/{organizationId}/openapi/{specSlug}", 200, "createOrUpdateOpenAPISpecBySlug"],
  ["OpenAPI specs", "DELETE", "/v1/orgs/{organizationId}/openapi/{specSlug}", 205, "deleteOpenAPISpecBySlug"],
  ["OpenAPI specs", "GET", "/v1/orgs/{organizationId}/openapi/{specSlug}/versions", 200, "listOpenAPISpecVersions"],
  ["OpenAPI specs", "GET", "/v1/orgs/{organizationId}/openapi/{specSlug}/versions/latest", 200, "getLatestOpenAPISpecVersion"],
  ["OpenAPI specs", "GET", "/v1/orgs/{organizationId}/openapi/{specSlug}/versions/latest/content", 200, "getLatestOpenAPISpecVersionContent"],
  ["OpenAPI specs", "GET", "/v1/orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}", 200, "getOpenAPISpecVersionById"],
  ["OpenAPI specs", "GET", "/v1/orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/content", 200, "getOpenAPISpecVersionContentById"],
  ["Translation settings", "GET", "/v1/orgs/{organizationId}/translations", 200, "listTranslations"],
  ["Translation settings", "POST", "/v1/orgs/{organizationId}/translations", 201, "createTranslation"],
  ["Translation settings", "GET", "/v1/orgs/{organizationId}/translations/{translationSettingsId}", 200, "getTranslation"],
  ["Translation settings", "PUT", "/v1/orgs/{organizationId}/translations/{translationSettingsId}", 200, "updateTranslation"],
  ["Translation settings", "DELETE", "/v1/orgs/{organizationId}/translations/{translationSettingsId}", 205, "deleteTranslation"],
  ["Integrations", "GET", "/v1/integrations", 200, "listIntegrations"],
  ["Integrations", "GET", "/v1/integrations/{integrationName}", 200, "getIntegrationByName"],
  ["Integrations", "POST", "/v1/integrations/{integrationName}", 200, "publishIntegration"],
  ["Integrations", "DELETE", "/v1/integrations/{integrationName}", 204, "unpublishIntegration"],
  ["Integrations", "GET", "/v1/integrations/{integrationName}/installations", 200, "listIntegrationInstallations"]
])

/** Operations outside the table that the scenarios require, to create users, content and sites. */
// biome-ignore format: a table
const required = rows([
  ["Users", "GET", "/v1/user", 200, "getAuthenticatedUser"],
  ["Organizations", "POST", "/v1/orgs/{organizationId}/invites", 200, "inviteUsersToOrganization"],
  ["Organizations", "POST", "/v1/orgs/{organizationId}/link-invites", 201, "createOrganizationInvite"],
  ["Teams", "PUT", "/v1/orgs/{organizationId}/teams", 201, "createOrganizationTeam"],
  ["Spaces", "POST", "/v1/orgs/{organizationId}/spaces", 201, "createSpace"],
  ["Space content", "POST", "/v1/spaces/{spaceId}/content", 200, "updateSpaceContent"],
  ["Change request content", "POST", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", 200, "updateChangeRequestContent"],
  ["Sites", "POST", "/v1/orgs/{organizationId}/sites/{siteId}/publish", 200, "publishSite"],
  ["Integrations", "POST", "/v1/integrations/{integrationName}/installations", 201, "installIntegration"]
])

/** The id of an operation in the endpoint table. */
export type SpecifiedId = (typeof specified)[number][4]

/** The id of an operation outside the table that the scenarios require. */
export type RequiredId = (typeof required)[number][4]

/** The id of an operation that a scenario calls. */
export type OperationId = SpecifiedId | RequiredId | OptionalOperationId

/** A row of the endpoint table. */
export interface Endpoint {
  /** The group of the operation in the specification. */
  readonly group: string
  /** The HTTP method. */
  readonly method: string
  /** The path with its parameters in braces, as in `/v1/spaces/{spaceId}`. */
  readonly path: string
  /** The status of a successful response. */
  readonly status: number
  /** The id in the OpenAPI document. */
  readonly operationId: OperationId
}

const toEndpoint = ([group, method, path, status, operationId]: Row<OperationId>): Endpoint => ({
  group,
  method,
  path,
  status,
  operationId
})

/** The 132 operations of the specification. */
export const endpoints: ReadonlyArray<Endpoint> = specified.map(toEndpoint)

/** The operations that the scenarios require in addition to the endpoint table. */
export const requiredEndpoints: ReadonlyArray<Endpoint> = required.map(toEndpoint)
