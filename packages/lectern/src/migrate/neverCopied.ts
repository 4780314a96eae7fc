/** The data that a migration never copies. */

/** Data that is never copied. */
export interface NeverCopied {
  /** The data and the reason, for the report. */
  readonly text: string
  /** The operations that list the data. A test requires that each list of the API is copied or named here. */
  readonly lists: ReadonlyArray<string>
}

/** The data that a migration never copies, in the order of the report. */
export const neverCopied: ReadonlyArray<NeverCopied> = [
  {
    text: "The history of revisions, archived pages and earlier versions of OpenAPI specs: a copy begins with the current content.",
    lists: ["listRevisions", "listRevisionsOfChangeRequest", "listArchivedPages"]
  },
  { text: "Merged and archived change requests: they belong to the history.", lists: [] },
  {
    text: "Comments, reviews and requested reviewers: the copy would name the administrator as their author.",
    lists: [
      "getReviewsByChangeRequestId",
      "getRequestedReviewersByChangeRequestId",
      "getContributorsByChangeRequestId",
      "listCommentersInSpace",
      "listCommentsInSpace",
      "listCommentRepliesInSpace",
      "listCommentersInChangeRequest",
      "listCommentsInChangeRequest",
      "listCommentRepliesInChangeRequest"
    ]
  },
  {
    text: "API tokens, sessions, authorized programs and webhooks: the API does not return their secrets.",
    lists: [
      "listSessions",
      "listApiTokens",
      "listOrganizationTokens",
      "listAuthorizedPrograms",
      "listWebhooks",
      "listWebhookDeliveries"
    ]
  },
  {
    text: "Integrations and their installations: they execute code at the source.",
    lists: [
      "listIntegrations",
      "listOrganizationIntegrations",
      "listIntegrationInstallations",
      "listIntegrationEvents",
      "listOrganizationInstallations",
      "listOrganizationIntegrationsStatus",
      "listSiteIntegrations",
      "listSpaceIntegrations",
      "listIntegrationSpaceInstallations",
      "listIntegrationInstallationSpaces",
      "listIntegrationSiteInstallations",
      "listIntegrationInstallationSites"
    ]
  },
  { text: "Git synchronization: two servers would write to the same branch.", lists: [] },
  {
    text: "SAML and OpenID Connect providers: they accept sign-ins at the URLs of the source.",
    lists: [
      "listSAMLProvidersInOrganizationById",
      "listOIDCProvidersInOrganizationById",
      "listSSOProviderLoginsInOrganization"
    ]
  },
  {
    text: "Invite links and pending invitations: they lead to the source.",
    lists: ["listOrganizationInviteLinks", "listInvitations"]
  },
  {
    text: "The settings of the organization: the copy is in an organization that you have created.",
    lists: []
  },
  {
    text: "The keys of share links and of visitor authentication: the copies have keys of their own.",
    lists: []
  },
  {
    text: "Fonts that the organization has uploaded: the copy has the default font until you upload them.",
    lists: ["listCustomFonts"]
  },
  {
    text: "Visits, insights, events, notifications, audit records and runs of imports: they describe the source.",
    lists: [
      "listEvents",
      "listNotifications",
      "listAuditRecords",
      "listOrganizationAuditEvents",
      "listImportRuns"
    ]
  },
  {
    text: "Spaces in the trash and deleted organizations: they have been removed.",
    lists: ["listTrashedSpaces", "listDeletedOrganizations"]
  }
]
