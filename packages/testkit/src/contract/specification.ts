/**
 * The query parameters and body fields of the specification, as data, with their bounds: `title:2..128`. A server must
 * declare all of them in its OpenAPI document, and may declare more.
 */
import type { SpecifiedId } from "./endpoints.ts"
import { alternatives, type Definitions, type Schema } from "./Schemas.ts"

/** The parts of a request: space-separated names, each with optional bounds. */
interface RequestParts {
  readonly query?: string
  readonly body?: string
}

const listQuery = "page limit:0..1000"
const contentQuery = "metadata computed"
const commentsQuery = `${listQuery} order status format targetPage authors`
const samlBody = "label:1..30 entityID:..1024 certificate:..10000 ssoURL:..2048 defaultTeam defaultRole"

/** The requests of all operations that have query parameters or a body. */
export const specifiedRequests: { readonly [operation in SpecifiedId]?: RequestParts } = {
  updateCollectionById: { body: "title:..50 description:..100 defaultLevel" },
  listSpacesInCollectionById: { query: listQuery },
  moveCollection: { body: "parent position" },
  transferCollection: { body: "organization" },
  listCollectionsInOrganizationById: { query: `${listQuery} nested` },
  createCollection: { body: "title:..50 parent" },
  getSpaceById: { query: "shareKey" },
  updateSpaceById: { body: "editMode title:..50 defaultLevel emoji:..50" },
  moveSpace: { body: "parent position" },
  transferSpace: { body: "organization" },
  listSpaceLinks: { query: `${listQuery} status` },
  searchSpaceContent: { query: `query:..512 ${listQuery}` },
  getCurrentRevision: { query: contentQuery },
  importContent: { body: "url source" },
  listPages: { query: contentQuery },
  listFiles: { query: `${listQuery} ${contentQuery}` },
  getFileById: { query: contentQuery },
  listSpaceFileBacklinks: { query: listQuery },
  getPageById: { query: `format ${contentQuery}` },
  listPageLinksInSpace: { query: `${listQuery} status` },
  listCommentsInSpace: { query: commentsQuery },
  postCommentInSpace: { body: "node page body" },
  getCommentInSpace: { query: "format" },
  updateCommentInSpace: { body: "resolved body addedReactions removedReactions" },
  listCommentRepliesInSpace: { query: `${listQuery} format` },
  postCommentReplyInSpace: { body: "body" },
  getCommentReplyInSpace: { query: "format" },
  updateCommentReplyInSpace: { body: "body addedReactions removedReactions" },
  listChangeRequestsForSpace: { query: `${listQuery} status contributor` },
  createChangeRequest: { body: "subject:..100 agentTaskId" },
  updateChangeRequestById: { body: "subject:..100 status" },
  getChangeRequestPDF: { query: "only page" },
  getRevisionOfChangeRequestById: { query: contentQuery },
  importContentInChangeRequest: { body: "url source" },
  listPagesInChangeRequest: { query: contentQuery },
  listFilesInChangeRequestById: { query: `${listQuery} ${contentQuery}` },
  getFileInChangeRequestById: { query: contentQuery },
  listChangeRequestFileBacklinks: { query: listQuery },
  getPageInChangeRequestById: { query: `format ${contentQuery}` },
  listPageLinksInChangeRequest: { query: listQuery },
  listCommentsInChangeRequest: { query: commentsQuery },
  postCommentInChangeRequest: { body: "node page body" },
  getCommentInChangeRequest: { query: "format" },
  updateCommentInChangeRequest: { body: "resolved body addedReactions removedReactions" },
  listCommentRepliesInChangeRequest: { query: `${listQuery} format` },
  postCommentReplyInChangeRequest: { query: "format", body: "body" },
  getCommentReplyInChangeRequest: { query: "format" },
  listSites: { query: `${listQuery} space title published` },
  createSite: { body: "type title:2..128 visibility spaces" },
  updateSiteById: {
    body: "title:2..128 visibility basename:1..100 adaptiveContent agentsContext defaultSiteSpace defaultSiteSection proxy:..512"
  },
  updateSiteAdaptiveSchema: { body: "jsonSchema" },
  getPublishedContentSite: { query: "shareKey" },
  listSiteSections: { query: `shareKey ${listQuery}` },
  addSectionToSite: { body: "spaceId title:..64" },
  updateSiteSectionById: {
    body: "title:2..128 path:1..100 defaultSiteSpace condition:1..1024 icon:..50 description:..256"
  },
  moveSiteSection: { body: "position" },
  listSiteSectionGroups: { query: listQuery },
  addSectionGroupToSite: { body: "title:1..100 icon:..50 sections" },
  updateSiteSectionGroupById: { body: "title:1..100 icon" },
  addSectionToGroup: { body: "sectionId" },
  moveSiteSectionGroup: { body: "position" },
  listSiteSpaces: { query: `shareKey ${listQuery} default` },
  addSpaceToSite: { body: "spaceId sectionId" },
  updateSiteSpaceById: { body: "path:1..100 condition:1..1024" },
  moveSiteSpace: { body: "position" },
  listSiteShareLinks: { query: listQuery },
  createSiteShareLink: { body: "name:..50" },
  updateSiteShareLinkById: { body: "active name:..50" },
  listOrganizationsForAuthenticatedUser: { query: listQuery },
  updateOrganizationById: {
    body: "title:2..255 emailDomains hostname:3..32 defaultRole defaultContent logo:..2048 sso ai inviteLinks"
  },
  updateOrganizationInviteById: { body: "role" },
  searchOrganizationContent: { query: `query:..512 ${listQuery}` },
  listMembersInOrganizationById: { query: `${listQuery} order role search sort` },
  updateMemberInOrganizationById: { body: "role" },
  listSpacesForOrganizationMember: { query: `${listQuery} order` },
  listTeamsForOrganizationMember: { query: `${listQuery} title` },
  listTeamMembersInOrganizationById: { query: listQuery },
  updateMembersInOrganizationTeam: { body: "add remove memberships" },
  addMemberToOrganizationTeamById: { body: "role" },
  listSAMLProvidersInOrganizationById: { query: listQuery },
  createOrganizationSAMLProvider: { body: samlBody },
  updateOrganizationSAMLProvider: { body: samlBody },
  listOpenAPISpecs: { query: listQuery },
  createOpenAPISpec: { body: "slug:1..100 source" },
  createOrUpdateOpenAPISpecBySlug: { body: "source" },
  listOpenAPISpecVersions: { query: listQuery },
  listTranslations: { query: listQuery },
  createTranslation: { body: "title:1..100 source language instructions target" },
  updateTranslation: { body: "title:1..100 instructions" },
  listIntegrations: {
    query: `${listQuery} search category blockDomain:..100 blocks contentSources owner scope`
  },
  publishIntegration: {
    body:
      "runtime icon title:2..30 description:..100 summary:..2048 previewImages:..3 visibility target scopes categories blocks " +
      "contentSources externalLinks configurations script organization secrets contentSecurityPolicy"
  },
  listIntegrationInstallations: { query: `${listQuery} externalId` }
}

/** Returns the bounds that schemas declare for a length, a number, or a number of items. */
const boundsIn = (schemas: ReadonlyArray<Schema>, side: "max" | "min"): ReadonlyArray<number> =>
  schemas.flatMap((schema) => {
    const all =
      side === "max"
        ? [schema.maxLength, schema.maximum, schema.maxItems]
        : [schema.minLength, schema.minimum, schema.minItems]
    return all.filter((bound) => bound !== undefined)
  })

/**
 * Compares one specified name with a schema. Returns the deviation; undefined if the schema declares it as specified.
 */
const findDeclarationProblem = (
  definitions: Definitions,
  schema: Schema,
  word: string
): string | undefined => {
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

/**
 * Compares a part of a request with the specification. Returns the names that the schema does not declare as specified,
 * a line each.
 */
export const findUndeclared = (
  definitions: Definitions,
  schema: Schema | undefined,
  specified: string | undefined
): ReadonlyArray<string> =>
  (specified ?? "")
    .split(" ")
    .filter((word) => word !== "")
    .flatMap((word) => findDeclarationProblem(definitions, schema ?? {}, word) ?? [])
