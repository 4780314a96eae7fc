/**
 * The optional operations, by feature: they are not in the specification. The scenarios of a feature run against servers
 * that serve all of its operations, and are skipped for other servers.
 */
export const optionalOperations = {
  users: ["exportOwnData", "getUserById", "updateUserById"],
  invitations: ["listInvitations", "renewInvitation", "revokeInvitation"],
  oidc: [
    "listOIDCProvidersInOrganizationById",
    "createOrganizationOIDCProvider",
    "getOrganizationOIDCProviderById",
    "updateOrganizationOIDCProvider",
    "deleteOrganizationOIDCProvider"
  ],
  sessions: ["listSessions", "signOutEverywhere", "signOut", "revokeSession"],
  tokens: [
    "listApiTokens",
    "createApiToken",
    "getApiToken",
    "updateApiToken",
    "revokeApiToken",
    "rotateApiToken",
    "listOrganizationTokens",
    "revokeOrganizationToken"
  ],
  organizations: [
    "getOrganizationUsage",
    "listTeamsInOrganizationById",
    "getTeamInOrganizationById",
    "updateTeamInOrganizationById",
    "removeTeamFromOrganizationById",
    "listOrganizationInviteLinks",
    "joinOrganizationWithInvite"
  ],
  permissions: [
    "inviteToCollection",
    "listUserPermissionsInCollection",
    "updateUserPermissionInCollection",
    "removeUserFromCollection",
    "listTeamPermissionsInCollection",
    "updateTeamPermissionInCollection",
    "removeTeamFromCollection",
    "listPermissionsAggregateInCollection",
    "inviteToSpace",
    "listUserPermissionsInSpace",
    "updateUserPermissionInSpace",
    "removeUserFromSpace",
    "listTeamPermissionsInSpace",
    "updateTeamPermissionInSpace",
    "removeTeamFromSpace",
    "listPermissionsAggregateInSpace"
  ],
  spaces: ["listSpacesInOrganizationById"],
  notifications: [
    "listNotifications",
    "readNotifications",
    "getNotificationSettings",
    "updateNotificationSettings",
    "updateSpaceNotificationSettings"
  ],
  places: ["listPlaces", "putFavorite", "recordRecentPage", "listTrashedSpaces"],
  content: [
    "getPageByPath",
    "getReusableContentById",
    "listSpacePageBacklinks",
    "listSpaceReusableContentBacklinks",
    "getSpacePDF",
    "getRevisionById",
    "getRevisionSemanticChanges",
    "listPagesInRevisionById",
    "listFilesInRevisionById",
    "getFileInRevisionById",
    "getPageInRevisionById",
    "getPageDocumentInRevisionById",
    "getPageInRevisionByPath",
    "getReusableContentInRevisionById"
  ],
  imports: ["startImportRun", "getImportRun", "cancelImportRun"],
  uploads: ["generateStorageUploadURL"],
  history: ["listRevisions", "restoreRevision", "listArchivedPages", "restoreArchivedPage"],
  exports: ["getSpaceExport", "getChangeRequestExport", "getRevisionExport", "getSiteExport"],
  git: ["getSpaceGitInfo", "importGitRepository", "exportToGitRepository"],
  changeRequests: [
    "listChangeRequestsForOrganization",
    "getChangeRequestChanges",
    "getPageInChangeRequestByPath",
    "getReusableContentInChangeRequestById",
    "listChangeRequestLinks",
    "listChangeRequestPageBacklinks",
    "getChangeRequestMergePreview",
    "listChangeRequestReusableContentBacklinks"
  ],
  reviews: [
    "getReviewsByChangeRequestId",
    "submitChangeRequestReview",
    "getRequestedReviewersByChangeRequestId",
    "requestReviewersForChangeRequest",
    "removeRequestedReviewerFromChangeRequest",
    "getContributorsByChangeRequestId"
  ],
  comments: [
    "listCommentersInSpace",
    "deleteCommentReplyInSpace",
    "listCommentersInChangeRequest",
    "updateCommentReplyInChangeRequest",
    "deleteCommentReplyInChangeRequest"
  ],
  presence: ["announcePresenceInSpace", "announcePresenceInChangeRequest"],
  sites: [
    "unpublishSite",
    "getSiteStructure",
    "getSiteCustomizationById",
    "updateSiteCustomizationById",
    "getSiteSpaceCustomizationById",
    "overrideSiteSpaceCustomizationById",
    "deleteSiteSpaceCustomizationById",
    "getSitePublishingAuthById",
    "updateSitePublishingAuthById",
    "regenerateSitePublishingAuthById"
  ],
  published: [
    "resolvePublishedContentByUrl",
    "getPublishedContentByUrl",
    "getEmbedByUrlInSpace",
    "trackEventsInSiteById",
    "getSiteInsights",
    "searchSiteContent",
    "listSiteRedirects",
    "createSiteRedirect",
    "updateSiteRedirectById",
    "deleteSiteRedirectById",
    "getSiteRedirectBySource",
    "getDocumentById",
    "getComputedDocument",
    "getReusableContentDocumentInRevisionById"
  ],
  integrations: [
    "getIntegrationInstallationById",
    "updateIntegrationInstallation",
    "uninstallIntegration",
    "createIntegrationInstallationToken",
    "listIntegrationEvents",
    "getIntegrationEvent",
    "queueIntegrationTask",
    "setIntegrationDevelopmentMode",
    "disableIntegrationDevelopmentMode",
    "listIntegrationSpaceInstallations",
    "listIntegrationInstallationSpaces",
    "installIntegrationOnSpace",
    "getIntegrationSpaceInstallation",
    "updateIntegrationSpaceInstallation",
    "uninstallIntegrationFromSpace",
    "listIntegrationSiteInstallations",
    "listIntegrationInstallationSites",
    "installIntegrationOnSite",
    "getIntegrationSiteInstallation",
    "updateIntegrationSiteInstallation",
    "uninstallIntegrationFromSite"
  ],
  webhooks: [
    "listEvents",
    "listWebhooks",
    "createWebhook",
    "getWebhook",
    "updateWebhook",
    "deleteWebhook",
    "rotateWebhookSecret",
    "listWebhookDeliveries",
    "getWebhookDelivery",
    "redeliverWebhookDelivery"
  ],
  audit: ["listAuditRecords"]
} as const

/** A feature with optional operations. */
export type OptionalFeature = keyof typeof optionalOperations

/** The id of an optional operation. */
export type OptionalOperationId = (typeof optionalOperations)[OptionalFeature][number]
