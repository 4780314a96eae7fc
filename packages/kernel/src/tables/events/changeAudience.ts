/**
 * The audience of the changes of each resource, as data: who may learn that a resource has changed, and which ids they
 * receive. The fields of `Event` are for administrators; a change has only the ids that a window needs to refresh itself.
 */
import type { OrganizationAction } from "@lectern/model/roles"

/** Who receives the changes of a resource. */
export type ChangeAudience =
  /** Members whose role in the organization permits the action. */
  | { readonly action: OrganizationAction }
  /** Members who can see a space or a collection, whose id is in this field. */
  | { readonly content: string }
  /** Members who can see a site, whose id is in this field. */
  | { readonly site: string }
  /** Members who can see the space of a change request or a comment, whose id is in this field. */
  | { readonly spaceOf: "changeRequest" | "comment" }

/** How the changes of a resource are announced. */
export interface AnnouncedResource {
  /** Who receives them. The user whose id is in the field `user` always does. */
  readonly audience: ChangeAudience
  /** The fields that they contain. */
  readonly fields: ReadonlyArray<string>
  /** Whether they can change what members can see. */
  readonly affectsAccess?: true
}

const ofSite: AnnouncedResource = { audience: { site: "site" }, fields: ["site"] }

/** Resources that are not listed, such as resources of hosts, are announced to administrators. */
const unlisted: AnnouncedResource = { audience: { action: "administrate" }, fields: ["id"] }

const announced: Readonly<Record<string, AnnouncedResource>> = {
  organization: { audience: { action: "view" }, fields: ["id"], affectsAccess: true },
  member: { audience: { action: "listMembers" }, fields: ["user"], affectsAccess: true },
  team: { audience: { action: "listMembers" }, fields: ["id"], affectsAccess: true },
  teamMember: { audience: { action: "listMembers" }, fields: ["team", "user"], affectsAccess: true },
  permission: { audience: { content: "target" }, fields: ["kind", "target"], affectsAccess: true },
  collection: { audience: { content: "id" }, fields: ["id"], affectsAccess: true },
  space: { audience: { content: "id" }, fields: ["id"], affectsAccess: true },
  revision: { audience: { content: "space" }, fields: ["id", "space", "changeRequest"] },
  changeRequest: { audience: { content: "space" }, fields: ["id", "space", "number"] },
  comment: { audience: { content: "space" }, fields: ["id", "space", "changeRequest", "page"] },
  commentReply: { audience: { spaceOf: "comment" }, fields: ["id", "comment"] },
  commentReaction: { audience: { spaceOf: "comment" }, fields: ["comment"] },
  review: { audience: { spaceOf: "changeRequest" }, fields: ["id", "changeRequest"] },
  requestedReviewer: { audience: { spaceOf: "changeRequest" }, fields: ["changeRequest"] },
  importRun: { audience: { content: "space" }, fields: ["id", "space", "changeRequest"] },
  gitSync: { audience: { content: "space" }, fields: ["space"] },
  site: { audience: { site: "id" }, fields: ["id"] },
  siteSettings: ofSite,
  siteSectionGroup: ofSite,
  siteSection: ofSite,
  siteExternalLink: ofSite,
  siteSpace: ofSite,
  siteRedirect: ofSite,
  shareLink: ofSite,
  openApiSpec: { audience: { action: "listSpecs" }, fields: ["id", "slug"] },
  openApiVersion: { audience: { action: "listSpecs" }, fields: ["spec"] },
  translation: { audience: { action: "listTranslations" }, fields: ["id"] }
}

/** Returns how the changes of a type of events, such as `space.created`, are announced. */
export const announcedResource = (type: string): AnnouncedResource => {
  const resource = type.slice(0, type.indexOf("."))
  return Object.hasOwn(announced, resource) ? announced[resource]! : unlisted
}
