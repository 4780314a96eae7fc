/**
 * The operations beyond the specification, by feature. A server need not have them: the scenarios of a feature run
 * against servers that serve all of its operations, and are skipped for others.
 */
export const further = {
  users: ["getUserById", "updateUserById"],
  organizations: [
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
  content: [
    "getPageByPath",
    "getReusableContentById",
    "listSpacePageBacklinks",
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
  changeRequests: [
    "getChangeRequestChanges",
    "getPageInChangeRequestByPath",
    "getReusableContentInChangeRequestById",
    "listChangeRequestLinks",
    "listChangeRequestPageBacklinks"
  ],
  comments: [
    "listCommentersInSpace",
    "deleteCommentReplyInSpace",
    "listCommentersInChangeRequest",
    "updateCommentReplyInChangeRequest",
    "deleteCommentReplyInChangeRequest"
  ],
  sites: [
    "unpublishSite",
    "getSiteStructure",
    "getSiteCustomizationById",
    "updateSiteCustomizationById",
    "getSitePublishingAuthById",
    "updateSitePublishingAuthById",
    "regenerateSitePublishingAuthById"
  ],
  integrations: ["getIntegrationInstallationById", "updateIntegrationInstallation", "uninstallIntegration"]
} as const

/** A feature of which operations are beyond the specification. */
export type FurtherFeature = keyof typeof further

/** An operation beyond the specification. */
export type FurtherId = (typeof further)[FurtherFeature][number]
