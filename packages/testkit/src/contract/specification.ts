/**
 * What api.md says that requests hold, as data: the names of query parameters and of the fields of bodies, with the bounds
 * that it gives them as `title:2..128`. A server declares all of it in its own document, where more may be.
 */
import type { SpecifiedId } from "./endpoints.ts"
import { alternatives, type Definitions, type Schema } from "./Schemas.ts"

/** What a request holds, by places: names divided by spaces, each perhaps with its bounds. */
interface Request {
  readonly query?: string
  readonly body?: string
}

const list = "page limit:0..1000"
const read = "metadata computed"
const comments = `${list} order status format targetPage authors`
const saml = "label:1..30 entityID:..1024 certificate:..10000 ssoURL:..2048 defaultTeam defaultRole"

/** The requests of the operations that take something beside their path. */
export const specifiedRequests: { readonly [operation in SpecifiedId]?: Request } = {
  updateCollectionById: { body: "title:..50 description:..100 defaultLevel" },
  listSpacesInCollectionById: { query: list },
  moveCollection: { body: "parent position" },
  transferCollection: { body: "organization" },
  listCollectionsInOrganizationById: { query: `${list} nested` },
  createCollection: { body: "title:..50 parent" },
  getSpaceById: { query: "shareKey" },
  updateSpaceById: { body: "editMode title:..50 defaultLevel emoji:..50" },
  moveSpace: { body: "parent position" },
  transferSpace: { body: "organization" },
  listSpaceLinks: { query: `${list} status` },
  searchSpaceContent: { query: `query:..512 ${list}` },
  getCurrentRevision: { query: read },
  importContent: { body: "url source" },
  listPages: { query: read },
  listFiles: { query: `${list} ${read}` },
  getFileById: { query: read },
  listSpaceFileBacklinks: { query: list },
  getPageById: { query: `format ${read}` },
  listPageLinksInSpace: { query: `${list} status` },
  listCommentsInSpace: { query: comments },
  postCommentInSpace: { body: "node page body" },
  getCommentInSpace: { query: "format" },
  updateCommentInSpace: { body: "resolved body addedReactions removedReactions" },
  listCommentRepliesInSpace: { query: `${list} format` },
  postCommentReplyInSpace: { body: "body" },
  getCommentReplyInSpace: { query: "format" },
  updateCommentReplyInSpace: { body: "body addedReactions removedReactions" },
  listChangeRequestsForSpace: { query: `${list} status contributor` },
  createChangeRequest: { body: "subject:..100 agentTaskId" },
  updateChangeRequestById: { body: "subject:..100 status" },
  getChangeRequestPDF: { query: "only page" },
  getRevisionOfChangeRequestById: { query: read },
  importContentInChangeRequest: { body: "url source" },
  listPagesInChangeRequest: { query: read },
  listFilesInChangeRequestById: { query: `${list} ${read}` },
  getFileInChangeRequestById: { query: read },
  listChangeRequestFileBacklinks: { query: list },
  getPageInChangeRequestById: { query: `format ${read}` },
  listPageLinksInChangeRequest: { query: list },
  listCommentsInChangeRequest: { query: comments },
  postCommentInChangeRequest: { body: "node page body" },
  getCommentInChangeRequest: { query: "format" },
  updateCommentInChangeRequest: { body: "resolved body addedReactions removedReactions" },
  listCommentRepliesInChangeRequest: { query: `${list} format` },
  postCommentReplyInChangeRequest: { query: "format", body: "body" },
  getCommentReplyInChangeRequest: { query: "format" },
  listSites: { query: `${list} space title published` },
  createSite: { body: "type title:2..128 visibility spaces" },
  updateSiteById: {
    body: "title:2..128 visibility basename:1..100 adaptiveContent agentsContext defaultSiteSpace defaultSiteSection proxy:..512"
  },
  updateSiteAdaptiveSchema: { body: "jsonSchema" },
  getPublishedContentSite: { query: "shareKey" },
  listSiteSections: { query: `shareKey ${list}` },
  addSectionToSite: { body: "spaceId title:..64" },
  updateSiteSectionById: {
    body: "title:2..128 path:1..100 defaultSiteSpace condition:1..1024 icon:..50 description:..256"
  },
  moveSiteSection: { body: "position" },
  listSiteSectionGroups: { query: list },
  addSectionGroupToSite: { body: "title:1..100 icon:..50 sections" },
  updateSiteSectionGroupById: { body: "title:1..100 icon" },
  addSectionToGroup: { body: "sectionId" },
  moveSiteSectionGroup: { body: "position" },
  listSiteSpaces: { query: `shareKey ${list} default` },
  addSpaceToSite: { body: "spaceId sectionId" },
  updateSiteSpaceById: { body: "path:1..100 condition:1..1024" },
  moveSiteSpace: { body: "position" },
  listSiteShareLinks: { query: list },
  createSiteShareLink: { body: "name:..50" },
  updateSiteShareLinkById: { body: "active name:..50" },
  listOrganizationsForAuthenticatedUser: { query: list },
  updateOrganizationById: {
    body: "title:2..255 emailDomains hostname:3..32 defaultRole defaultContent logo:..2048 sso ai inviteLinks"
  },
  updateOrganizationInviteById: { body: "role" },
  searchOrganizationContent: { query: `query:..512 ${list}` },
  listMembersInOrganizationById: { query: `${list} order role search sort` },
  updateMemberInOrganizationById: { body: "role" },
  listSpacesForOrganizationMember: { query: `${list} order` },
  listTeamsForOrganizationMember: { query: `${list} title` },
  listTeamMembersInOrganizationById: { query: list },
  updateMembersInOrganizationTeam: { body: "add remove memberships" },
  addMemberToOrganizationTeamById: { body: "role" },
  listSAMLProvidersInOrganizationById: { query: list },
  createOrganizationSAMLProvider: { body: saml },
  updateOrganizationSAMLProvider: { body: saml },
  listOpenAPISpecs: { query: list },
  createOpenAPISpec: { body: "slug:1..100 source" },
  createOrUpdateOpenAPISpecBySlug: { body: "source" },
  listOpenAPISpecVersions: { query: list },
  listTranslations: { query: list },
  createTranslation: { body: "title:1..100" },
  updateTranslation: { body: "title:1..100" },
  listIntegrations: { query: `${list} search category blockDomain:..100 blocks contentSources owner scope` },
  publishIntegration: {
    body:
      "runtime icon title:2..30 description:..100 summary:..2048 previewImages:..3 visibility target scopes categories blocks " +
      "contentSources externalLinks configurations script organization secrets contentSecurityPolicy"
  },
  listIntegrationInstallations: { query: `${list} externalId` }
}

/** The bounds that alternatives have: of a length, of a number, or of how many there are. */
const boundsIn = (schemas: ReadonlyArray<Schema>, side: "max" | "min"): ReadonlyArray<number> =>
  schemas.flatMap((schema) => {
    const all =
      side === "max"
        ? [schema.maxLength, schema.maximum, schema.maxItems]
        : [schema.minLength, schema.minimum, schema.minItems]
    return all.filter((bound) => bound !== undefined)
  })

/** What of one name of a request a schema does not declare as it is specified; undefined where it does. */
const problemOf = (definitions: Definitions, schema: Schema, word: string): string | undefined => {
  const [name = "", bounds] = word.split(":")
  const property = alternatives(definitions, schema)
    .map((one) => one.schema.properties?.[name])
    .find((found) => found !== undefined)
  if (property === undefined) return `${name} is not declared`
  if (bounds === undefined) return undefined
  const [min = "", max = ""] = bounds.split("..")
  const schemas = alternatives(definitions, property).map((one) => one.schema)
  const isMet =
    (min === "" || Number(min) === 0 || boundsIn(schemas, "min").includes(Number(min))) &&
    boundsIn(schemas, "max").includes(Number(max))
  return isMet ? undefined : `${name} is not declared with the bounds ${bounds}`
}

/** What a part of a request does not declare as it is specified, a line each. */
export const undeclared = (
  definitions: Definitions,
  schema: Schema | undefined,
  specified: string | undefined
): ReadonlyArray<string> =>
  (specified ?? "")
    .split(" ")
    .filter((word) => word !== "")
    .flatMap((word) => problemOf(definitions, schema ?? {}, word) ?? [])
