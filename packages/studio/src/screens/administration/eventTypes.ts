/** The types of the events that a webhook can receive, by resource. A test compares them with `docs/events.md`. */

/** The kinds of changes of each resource. */
export const eventKinds = {
  organization: ["created", "updated", "trashed", "restored", "deleted"],
  member: ["created", "updated", "deleted"],
  team: ["created", "updated", "deleted"],
  teamMember: ["created", "updated", "deleted"],
  samlProvider: ["created", "updated", "deleted"],
  oidcProvider: ["created", "updated", "deleted"],
  permission: ["created", "updated", "deleted"],
  collection: ["created", "updated", "transferred", "deleted"],
  space: ["created", "updated", "trashed", "restored", "transferred", "deleted"],
  revision: ["created", "updated", "deleted"],
  changeRequest: ["created", "updated", "merged", "archived", "deleted"],
  comment: ["created", "updated", "resolved", "reopened", "deleted"],
  commentReply: ["created", "updated", "deleted"],
  commentReaction: ["created", "updated", "deleted"],
  review: ["created", "updated", "deleted"],
  requestedReviewer: ["created", "updated", "deleted"],
  site: ["created", "updated", "published", "unpublished", "deleted"],
  siteSettings: ["created", "updated", "deleted"],
  siteSectionGroup: ["created", "updated", "deleted"],
  siteSection: ["created", "updated", "deleted"],
  siteExternalLink: ["created", "updated", "deleted"],
  siteSpace: ["created", "updated", "deleted"],
  siteSpaceCustomization: ["created", "updated", "deleted"],
  shareLink: ["created", "updated", "deleted"],
  siteRedirect: ["created", "updated", "deleted"],
  siteMcpServer: ["created", "updated", "deleted"],
  customFont: ["created", "updated", "deleted"],
  siteScript: ["created", "updated", "deleted"],
  translation: ["created", "updated", "deleted"],
  glossaryEntry: ["created", "updated", "deleted"],
  integration: ["created", "updated", "deleted"],
  installation: ["created", "updated", "deleted"],
  contentInstallation: ["created", "updated", "deleted"],
  openApiSpec: ["created", "updated", "deleted"],
  openApiVersion: ["created", "updated", "deleted"],
  importRun: ["created", "updated", "deleted"],
  gitSync: ["created", "updated", "deleted"],
  webhook: ["created", "updated", "deleted"]
} as const

/** A resource with events. */
export type EventResource = keyof typeof eventKinds
