/** Exceptions to the rules of the suite, by operation, each with its reason. */
import type { OperationId } from "./endpoints.ts"

type Exceptions = { readonly [operation in OperationId]?: string }

interface PublicException {
  /** Matches the messages of the validator that are expected. */
  readonly difference: RegExp
  readonly why: string
}

const otherTranslations: PublicException = {
  difference: /./,
  why: "translation settings are another resource in the public contract"
}

const otherCommits: PublicException = {
  difference: /must have required property 'createdByGitBook'/,
  why: "the field is named without a trademark"
}

const laterSettings: PublicException = {
  difference: /must have required property '(ssoURL|entityID|certificate)'$/,
  why: "all settings of a provider except its label are optional"
}

const tasks: PublicException = {
  difference: /payload/,
  why: "tasks are events of later versions of the public contract"
}

const laterRedirects: PublicException = {
  difference: /source must match pattern|destination/,
  why: "wildcards and other websites are of later versions of the public contract"
}

const laterLinks: PublicException = {
  difference: /must have required property '(?:path|sections)'/,
  why: "users receive the links in structures, which are of later versions of the public contract"
}

const laterOrigins: PublicException = {
  difference: /origin/,
  why: "roles on sites are of later versions of the public contract"
}

/** Operations whose responses may differ from the public contract, because the specification overrides it. */
export const publicExceptions: { readonly [operation in OperationId]?: PublicException } = {
  listTranslations: otherTranslations,
  createTranslation: otherTranslations,
  getTranslation: otherTranslations,
  updateTranslation: otherTranslations,
  listSiteRedirects: laterRedirects,
  createSiteRedirect: laterRedirects,
  updateSiteRedirectById: laterRedirects,
  getSiteRedirectBySource: laterRedirects,
  listPermissionsAggregateInSite: laterOrigins,
  getSiteStructure: laterLinks,
  sortSiteStructure: laterLinks,
  getCurrentRevision: otherCommits,
  getRevisionOfChangeRequestById: otherCommits,
  listIntegrationEvents: tasks,
  getIntegrationEvent: tasks,
  listSAMLProvidersInOrganizationById: laterSettings,
  createOrganizationSAMLProvider: laterSettings
}

/** Operations that visitors of published sites can call without a token. */
export const openToVisitors: Exceptions = {
  getPublishedContentSite: "everyone can read a public site",
  getSiteRedirectBySource: "everyone can read the redirects of a public site",
  searchSiteContent: "everyone can search a public site",
  resolvePublishedContentByUrl: "the URL and the credentials of the visitor authorize the caller",
  getPublishedContentByUrl: "the URL and the credentials of the visitor authorize the caller",
  trackEventsInSiteById: "it counts events of pages, and returns nothing"
}

/** Operations that users without a role in the organization can call. */
export const openToAll: Exceptions = {
  resolvePublishedContentByUrl: "the URL and the credentials of the visitor authorize the caller",
  getPublishedContentByUrl: "the URL and the credentials of the visitor authorize the caller",
  trackEventsInSiteById: "it counts events of pages, and returns nothing",
  getEmbedByUrl: "it derives the embed from the URL",
  getAuthenticatedUser: "it returns the caller",
  exportOwnData: "it returns the data of the caller",
  listSessions: "it lists the sessions of the caller",
  signOutEverywhere: "it ends the sessions of the caller",
  signOut: "it ends the session of the request",
  listAuthorizedPrograms: "it lists the programs that the caller has authorized",
  listApiTokens: "it lists the tokens of the caller",
  createApiToken: "it creates a token of the caller",
  listOrganizationsForAuthenticatedUser: "it lists the organizations of the caller",
  listDeletedOrganizations: "it lists the organizations that the caller can restore",
  getOrganizationsForEmailDomain: "it returns an empty list to callers with an address in another domain",
  listIntegrations: "public integrations are visible to everyone",
  getIntegrationByName: "public integrations are visible to everyone",
  listIntegrationInstallations: "it omits installations in organizations of others",
  getOrganizationInviteLink: "the link itself authorizes the caller",
  joinOrganizationWithInvite: "the link itself authorizes the caller"
}

/** Operations that change state and that members with the role `read` can call. */
export const openToReaders: Exceptions = {
  createApiToken: "it creates a token of the caller",
  signOutEverywhere: "it ends the sessions of the caller",
  signOut: "it ends the session of the request",
  putFavorite: "it changes the favorites of the caller",
  recordRecentPage: "it changes the recent pages of the caller",
  readNotifications: "it changes the notifications of the caller",
  updateNotificationSettings: "it changes how the caller receives notifications",
  updateSpaceNotificationSettings: "it changes how the caller receives notifications",
  resolvePublishedContentByUrl: "it changes nothing",
  trackEventsInSiteById: "it counts events of pages, and returns nothing",
  searchSiteContent: "it changes nothing",
  getComputedDocument: "it changes nothing",
  getComputedRevision: "it changes nothing",
  aggregateSiteEvents: "it changes nothing",
  announcePresenceInSpace: "readers announce that they have a page open",
  announcePresenceInChangeRequest: "readers announce that they have a page open",
  updateOrganizationMemberLastSeenAt: "it records that the caller is active",
  generateStorageUploadURL:
    "members can edit single spaces, and the operations that use the file authorize them",
  joinOrganizationWithInvite: "the link itself authorizes the caller, and members keep their role"
}

const unsupportedChanges = {
  why: "a page is reverted as a whole, and files are not fetched",
  fields: ["body.changes[].block", "body.changes[].files[].url"]
}

/** Fields that are declared so that they can be rejected with any value: no call with one of them succeeds. */
export const alwaysRejected: {
  readonly [operation in OperationId]?: { readonly why: string; readonly fields: ReadonlyArray<string> }
} = {
  updateSpaceContent: unsupportedChanges,
  updateChangeRequestContent: unsupportedChanges
}

/** Path parameters whose values need not exist before the call. */
export const newNameParameters: { readonly [operation in OperationId]?: ReadonlyArray<string> } = {
  getOrganizationsForEmailDomain: ["emailDomain"],
  publishIntegration: ["integrationName"],
  createOrUpdateOpenAPISpecBySlug: ["specSlug"],
  trackEventsInSiteById: ["organizationId", "siteId"]
}

/** Operations that create a missing resource, so that a wrong entity tag may return 404 instead of 412. */
export const createsIfMissing: Exceptions = {
  updateSiteAdaptiveSchema: "a site has no schema at first",
  createOrUpdateOpenAPISpecBySlug: "it creates a missing specification"
}

/** Operations for which null at any depth of the body resets a value to a default, which they return. */
export const nullResets: Exceptions = {
  overrideSiteSpaceCustomizationById: "null removes an override, and the value of the site applies"
}

/** Valid inputs that are not sent to an existing resource. */
interface SkippedCases {
  readonly why: string
  /** The fields to which this is limited; all by default. */
  readonly fields?: ReadonlyArray<string>
}

const fetches: SkippedCases = { why: "it would fetch each URL" }
const writes: SkippedCases = { why: "it would write pages" }
const nodeReferences: SkippedCases = { why: "the node must exist on the page", fields: ["body.node"] }
const mergedValues: SkippedCases = {
  why: "values are merged, so the values of a variant would remain",
  fields: ["body.configuration"]
}
const integrationOfWebhook: SkippedCases = {
  why: "the types of events and the integration must exist",
  fields: ["body.events", "body.integration"]
}
const pathOfPage: SkippedCases = {
  why: "the page must exist",
  fields: ["body.destination.path", "body.destination.spaceId"]
}
const eventTypes: SkippedCases = { why: "the types of events must exist", fields: ["body.events"] }
const reactions: SkippedCases = {
  why: "the reactions would remain",
  fields: ["body.addedReactions", "body.removedReactions"]
}

/**
 * Operations to which valid variants of an input are not sent: they would have side effects that break later scenarios,
 * or reference resources that do not exist. Invalid variants are sent, and the scenarios send valid inputs.
 */
const skipsPositiveCases: { readonly [operation in OperationId]?: SkippedCases } = {
  addSectionToGroup: { why: "it returns the group, which must not be deleted" },
  updateSiteCustomizationById: {
    why: "of a font of the organization, only the id is used",
    fields: ["body.styling.font.", "body.styling.monospaceFont."]
  },
  createCustomFont: { why: "the files must be uploaded", fields: ["body.fontFaces"] },
  updateCustomFont: { why: "it returns the font with 201, which must not be deleted" },
  createSiteScript: { why: "the values must match the source", fields: ["body.source"] },
  updateSiteScriptById: { why: "the values must match the source", fields: ["body.source"] },
  createSiteRedirect: pathOfPage,
  updateSiteRedirectById: pathOfPage,
  createOrganizationTeam: { why: "the members must exist", fields: ["body.members"] },
  updateMembersInOrganizationTeam: { why: "the added members must exist" },
  inviteUsersToOrganization: { why: "it would create accounts" },
  createChangeRequest: { why: "change requests cannot be deleted" },
  submitChangeRequestReview: { why: "reviews cannot be deleted" },
  postCommentInSpace: nodeReferences,
  postCommentInChangeRequest: nodeReferences,
  updateCommentInSpace: reactions,
  updateCommentInChangeRequest: reactions,
  updateCommentReplyInSpace: reactions,
  getPublishedContentSite: { why: "another key does not authorize the caller", fields: ["query.shareKey"] },
  getSiteRedirectBySource: {
    why: "a redirect from the path must exist, and another key does not authorize the caller",
    fields: ["query.source", "query.shareKey"]
  },
  getComputedRevision: { why: "the source must be that of a page", fields: ["body.source"] },
  getComputedDocument: { why: "the source must be that of a page", fields: ["body.source"] },
  sortSiteStructure: { why: "the items must exist", fields: ["body.item", "body.position"] },
  aggregateSiteEvents: {
    why: "the order must be by a selected column",
    fields: ["body.select", "body.order"]
  },
  getSitePublishingPreviewById: { why: "the claims must be Rison, and the site-space must exist" },
  getContentByUrl: { why: "the content must exist", fields: ["query.url"] },
  resolvePublishedContentByUrl: { why: "the site must exist", fields: ["body.url"] },
  getPublishedContentByUrl: { why: "the site must exist", fields: ["query.url"] },
  publishIntegration: { why: "the organization must exist", fields: ["body.organization"] },
  startImportRun: { why: "import runs cannot be deleted" },
  generateStorageUploadURL: { why: "uploads cannot be deleted" },
  importContent: fetches,
  importContentInChangeRequest: fetches,
  importContentInPageById: fetches,
  importContentInChangeRequestPageById: fetches,
  createOpenAPISpec: { ...fetches, fields: ["body.source"] },
  createOrUpdateOpenAPISpecBySlug: { ...fetches, fields: ["body.source"] },
  updateIntegrationInstallation: mergedValues,
  updateIntegrationSpaceInstallation: mergedValues,
  updateIntegrationSiteInstallation: mergedValues,
  updateSpaceContent: writes,
  updateChangeRequestContent: writes,
  updateGlossaryEntries: { why: "the entries must exist, and would remain", fields: ["body.operations"] },
  bulkUpsertSiteRedirects: { why: "the destinations must exist", fields: ["body.redirects"] },
  listImportRuns: {
    why: "the content must exist",
    fields: ["query.space", "query.changeRequest", "query.site"]
  },
  createWebhook: integrationOfWebhook,
  updateWebhook: eventTypes
}

/** Whether valid variants for a bound of an operation are not sent. */
export const skipsPositiveCase = (operation: OperationId, bound: string): boolean => {
  const found = skipsPositiveCases[operation]
  return found !== undefined && (found.fields ?? [bound]).some((field) => bound.startsWith(field))
}

/** Fields that responses represent in another form than requests. */
export const encodedDifferently: { readonly [field: string]: string } = {
  comment: "the comment of a review is returned as a resource",
  body: "text is returned as markdown or as a document",
  changes: "a batch returns the result of each change",
  previewImages: "images are sent as bytes, and returned as URLs",
  destination: "the path of a page is returned as the id of the page",
  fontFaces: "files are sent as keys, and returned as URLs"
}

/**
 * Operations that create a resource and return 200, as the endpoint table requires. A check deletes the resource again.
 */
export const createsWithStatus200: Exceptions = {
  postCommentInSpace: "the endpoint table requires 200 for comments",
  postCommentReplyInSpace: "the endpoint table requires 200 for comments",
  postCommentInChangeRequest: "the endpoint table requires 200 for comments",
  postCommentReplyInChangeRequest: "the endpoint table requires 200 for comments"
}

/** Operations on sessions and authorized programs, which only browsers start. The suite cannot list or revoke one. */
export const operationsOfBrowsers: ReadonlySet<string> = new Set([
  "listSessions",
  "revokeSession",
  "listAuthorizedPrograms",
  "revokeAuthorizedProgram"
])
