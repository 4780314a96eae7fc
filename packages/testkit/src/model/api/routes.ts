/**
 * The operations of the API that serve the operations of core, by service and method. If several serve one, they differ in the
 * resources of their paths.
 */
import type { Api } from "@lectern/model/api"
import type { HttpApi, HttpApiGroup } from "effect/http-api"

type GroupsOf<A> = A extends HttpApi.HttpApi<string, infer Groups> ? Groups : never

/** The id of an operation of the API. */
export type OperationId = HttpApiGroup.Endpoints<GroupsOf<typeof Api>>["identifier"]

/** The ids of the operations of the API, by service and method. */
export const routes: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<OperationId>>>>> = {
  Tokens: {
    list: ["listApiTokens"],
    create: ["createApiToken"],
    get: ["getApiToken"],
    update: ["updateApiToken"],
    revoke: ["revokeApiToken"],
    rotate: ["rotateApiToken"],
    listInOrganization: ["listOrganizationTokens"],
    revokeInOrganization: ["revokeOrganizationToken"]
  },
  Organizations: {
    list: ["listOrganizationsForAuthenticatedUser"],
    get: ["getOrganizationById"],
    update: ["updateOrganizationById"],
    getUsage: ["getOrganizationUsage"],
    listByEmailDomain: ["getOrganizationsForEmailDomain"]
  },
  Members: {
    list: ["listMembersInOrganizationById"],
    get: ["getMemberInOrganizationById"],
    update: ["updateMemberInOrganizationById"],
    remove: ["removeMemberFromOrganizationById"],
    ping: ["updateOrganizationMemberLastSeenAt"],
    enableSso: ["setUserAsSSOMemberForOrganization"],
    listSpaces: ["listSpacesForOrganizationMember"],
    listTeams: ["listTeamsForOrganizationMember"]
  },
  Teams: {
    list: ["listTeamsInOrganizationById"],
    create: ["createOrganizationTeam"],
    get: ["getTeamInOrganizationById"],
    update: ["updateTeamInOrganizationById"],
    remove: ["removeTeamFromOrganizationById"],
    listMembers: ["listTeamMembersInOrganizationById"],
    updateMembers: ["updateMembersInOrganizationTeam"],
    putMember: ["addMemberToOrganizationTeamById"],
    removeMember: ["deleteMemberFromOrganizationTeamById"]
  },
  Invites: {
    list: ["listOrganizationInviteLinks"],
    create: ["createOrganizationInvite"],
    get: ["getOrganizationInviteLink"],
    update: ["updateOrganizationInviteById"],
    remove: ["deleteOrganizationInviteById"],
    inviteByEmail: ["inviteUsersToOrganization"],
    join: ["joinOrganizationWithInvite"]
  },
  OrganizationOidcProviders: {
    list: ["listOIDCProvidersInOrganizationById"],
    create: ["createOrganizationOIDCProvider"],
    get: ["getOrganizationOIDCProviderById"],
    update: ["updateOrganizationOIDCProvider"],
    remove: ["deleteOrganizationOIDCProvider"]
  },
  Permissions: {
    share: ["inviteToCollection", "inviteToSpace", "inviteToSite"],
    listUsers: ["listUserPermissionsInCollection", "listUserPermissionsInSpace", "listUserPermissionsInSite"],
    updateUser: [
      "updateUserPermissionInCollection",
      "updateUserPermissionInSpace",
      "updateUserPermissionInSite"
    ],
    removeUser: ["removeUserFromCollection", "removeUserFromSpace", "removeUserFromSite"],
    listTeams: ["listTeamPermissionsInCollection", "listTeamPermissionsInSpace", "listTeamPermissionsInSite"],
    updateTeam: [
      "updateTeamPermissionInCollection",
      "updateTeamPermissionInSpace",
      "updateTeamPermissionInSite"
    ],
    removeTeam: ["removeTeamFromCollection", "removeTeamFromSpace", "removeTeamFromSite"],
    listEffective: ["listPermissionsAggregateInCollection", "listPermissionsAggregateInSpace"]
  },
  Collections: {
    get: ["getCollectionById"],
    remove: ["deleteCollectionById"],
    update: ["updateCollectionById"],
    listSpaces: ["listSpacesInCollectionById"],
    move: ["moveCollection"],
    transfer: ["transferCollection"],
    list: ["listCollectionsInOrganizationById"],
    create: ["createCollection"]
  },
  Spaces: {
    list: ["listSpacesInOrganizationById"],
    create: ["createSpace"],
    listTrash: ["listTrashedSpaces"],
    get: ["getSpaceById"],
    remove: ["deleteSpaceById"],
    update: ["updateSpaceById"],
    duplicate: ["duplicateSpace"],
    restore: ["restoreSpace"],
    move: ["moveSpace"],
    transfer: ["transferSpace"]
  },
  Content: {
    getRevision: ["getCurrentRevision", "getRevisionById", "getRevisionOfChangeRequestById"],
    edit: ["updateSpaceContent", "updateChangeRequestContent"],
    listPages: ["listPages", "listPagesInRevisionById", "listPagesInChangeRequest"],
    listFiles: ["listFiles", "listFilesInRevisionById", "listFilesInChangeRequestById"],
    getFile: ["getFileById", "getFileInRevisionById", "getFileInChangeRequestById"],
    getPage: [
      "getPageById",
      "listSpacePageMetaLinks",
      "getPageInRevisionById",
      "listRevisionPageMetaLinks",
      "getPageDocumentInRevisionById",
      "getPageInChangeRequestById",
      "listChangeRequestPageMetaLinks"
    ],
    getPageByPath: ["getPageByPath", "getPageInRevisionByPath", "getPageInChangeRequestByPath"],
    getReusableContent: [
      "getReusableContentById",
      "getReusableContentInRevisionById",
      "getReusableContentInChangeRequestById"
    ],
    listChanges: ["getRevisionSemanticChanges", "getChangeRequestChanges"]
  },
  ChangeRequests: {
    list: ["listChangeRequestsForSpace"],
    listInOrganization: ["listChangeRequestsForOrganization"],
    create: ["createChangeRequest"],
    get: ["getChangeRequestById"],
    update: ["updateChangeRequestById"],
    merge: ["mergeChangeRequest"],
    previewMerge: ["getChangeRequestMergePreview"],
    updateFromSpace: ["updateChangeRequest"]
  },
  Reviews: {
    list: ["getReviewsByChangeRequestId"],
    get: ["getChangeRequestReviewById"],
    submit: ["submitChangeRequestReview"],
    listRequested: ["getRequestedReviewersByChangeRequestId"],
    request: ["requestReviewersForChangeRequest"],
    removeRequested: ["removeRequestedReviewerFromChangeRequest"],
    listContributors: ["getContributorsByChangeRequestId"]
  },
  Comments: {
    listCommenters: ["listCommentersInSpace", "listCommentersInChangeRequest"],
    list: ["listCommentsInSpace", "listCommentsInChangeRequest"],
    create: ["postCommentInSpace", "postCommentInChangeRequest"],
    get: ["getCommentInSpace", "getCommentInChangeRequest"],
    update: ["updateCommentInSpace", "updateCommentInChangeRequest"],
    remove: ["deleteCommentInSpace", "deleteCommentInChangeRequest"],
    listReplies: ["listCommentRepliesInSpace", "listCommentRepliesInChangeRequest"],
    createReply: ["postCommentReplyInSpace", "postCommentReplyInChangeRequest"],
    getReply: ["getCommentReplyInSpace", "getCommentReplyInChangeRequest"],
    updateReply: ["updateCommentReplyInSpace", "updateCommentReplyInChangeRequest"],
    removeReply: ["deleteCommentReplyInSpace", "deleteCommentReplyInChangeRequest"]
  },
  Sites: {
    list: ["listSites"],
    create: ["createSite"],
    get: ["getSiteById"],
    remove: ["deleteSiteById"],
    update: ["updateSiteById"],
    publish: ["publishSite"],
    unpublish: ["unpublishSite"]
  },
  PublishedSites: {
    get: ["getPublishedContentSite"],
    getStructure: ["getSiteStructure"]
  },
  SiteSections: {
    list: ["listSiteSections"],
    add: ["addSectionToSite"],
    remove: ["deleteSiteSectionById"],
    update: ["updateSiteSectionById"],
    move: ["moveSiteSection"]
  },
  SiteSectionGroups: {
    list: ["listSiteSectionGroups"],
    add: ["addSectionGroupToSite"],
    remove: ["deleteSiteSectionGroupById"],
    update: ["updateSiteSectionGroupById"],
    addSection: ["addSectionToGroup"],
    removeSection: ["removeSectionFromGroup"],
    move: ["moveSiteSectionGroup"]
  },
  SiteSpaces: {
    list: ["listSiteSpaces"],
    add: ["addSpaceToSite"],
    remove: ["deleteSiteSpaceById"],
    update: ["updateSiteSpaceById"],
    move: ["moveSiteSpace"],
    duplicate: ["duplicateSiteSpace"]
  },
  SitePermissions: {
    listEffective: ["listPermissionsAggregateInSite"]
  },
  ShareLinks: {
    list: ["listSiteShareLinks"],
    create: ["createSiteShareLink"],
    remove: ["deleteSiteShareLinkById"],
    update: ["updateSiteShareLinkById"]
  },
  Translations: {
    list: ["listTranslations"],
    create: ["createTranslation"],
    get: ["getTranslation"],
    update: ["updateTranslation"],
    remove: ["deleteTranslation"]
  },
  Integrations: {
    list: ["listIntegrations"],
    listOfOrganization: ["listOrganizationIntegrations"],
    get: ["getIntegrationByName"],
    publish: ["publishIntegration"],
    unpublish: ["unpublishIntegration"]
  },
  Installations: {
    list: ["listIntegrationInstallations"],
    create: ["installIntegration"],
    get: ["getIntegrationInstallationById"],
    update: ["updateIntegrationInstallation"],
    remove: ["uninstallIntegration"]
  },
  OpenApiSpecs: {
    list: ["listOpenAPISpecs"],
    create: ["createOpenAPISpec"],
    get: ["getOpenAPISpecBySlug"],
    createOrUpdate: ["createOrUpdateOpenAPISpecBySlug"],
    update: ["updateOpenAPISpecBySlug"],
    remove: ["deleteOpenAPISpecBySlug"],
    listVersions: ["listOpenAPISpecVersions"],
    getVersion: ["getLatestOpenAPISpecVersion", "getOpenAPISpecVersionById"],
    getContent: ["getLatestOpenAPISpecVersionContent", "getOpenAPISpecVersionContentById"],
    getRawContent: ["getLatestOpenAPISpecVersionContentRaw"]
  },
  Search: {
    searchSpace: ["searchSpaceContent"],
    searchOrganization: ["searchOrganizationContent"]
  },
  SamlProviders: {
    list: ["listSAMLProvidersInOrganizationById"],
    create: ["createOrganizationSAMLProvider"],
    get: ["getOrganizationSAMLProviderById"],
    update: ["updateOrganizationSAMLProvider"],
    remove: ["deleteOrganizationSAMLProvider"],
    listLogins: ["listSSOProviderLoginsInOrganization"]
  },
  SiteSettings: {
    getAdaptiveSchema: ["getSiteAdaptiveSchema"],
    updateAdaptiveSchema: ["updateSiteAdaptiveSchema"],
    listTemplateConditions: ["listSiteAdaptiveTemplateConditions"]
  },
  Webhooks: {
    list: ["listWebhooks"],
    create: ["createWebhook"],
    get: ["getWebhook"],
    update: ["updateWebhook"],
    remove: ["deleteWebhook"],
    rotateSecret: ["rotateWebhookSecret"],
    listDeliveries: ["listWebhookDeliveries"],
    getDelivery: ["getWebhookDelivery"],
    redeliver: ["redeliverWebhookDelivery"]
  },
  Events: {
    list: ["listEvents"]
  },
  GitSync: {
    getInfo: ["getSpaceGitInfo"],
    importRepository: ["importGitRepository"],
    exportRepository: ["exportToGitRepository"]
  },
  Uploads: {
    create: ["generateStorageUploadURL"]
  }
}
