/** The requests of the calls of scenarios. */

/** What is shared, written in, or commented on: a space, or something of it. */
interface Named {
  readonly space?: string
  readonly collection?: string
  readonly changeRequest?: string
  readonly revision?: string
}

/** What has permissions. */
export const shared = ({ space, collection }: Named): string =>
  space === undefined ? `collections/${collection}` : `spaces/${space}`

/** What has comments: a space, or a change request. */
export const subject = ({ space, changeRequest }: Named): string =>
  changeRequest === undefined ? `spaces/${space}` : `spaces/${space}/change-requests/${changeRequest}`

/** What has pages. */
export const content = ({ revision, ...named }: Named): string =>
  revision === undefined ? `${subject(named)}/content` : `spaces/${named.space}/revisions/${revision}`

/** What collections and spaces have in common. */
const item = (name: "collections" | "spaces") => ({
  get: `GET ${name}/{0}`,
  update: `PATCH ${name}/{0} <1`,
  remove: `DELETE ${name}/{0}`,
  create: `POST orgs/{0}/${name} <1`,
  list: `GET orgs/{0}/${name} ?1`,
  listSpaces: `GET ${name}/{0}/spaces ?1`,
  move: `POST ${name}/{0}/move <1`,
  transfer: `POST ${name}/{0}/transfer <1`,
  duplicate: `POST ${name}/{0}/duplicate`,
  restore: `POST ${name}/{0}/restore`
})

/** The usual operations on what is in a list. */
const listRoutes = (list: string, one: string, last: number) => ({
  list: `GET ${list} ?${last}`,
  get: `GET ${list}/${one}`,
  add: `POST ${list} <${last}`,
  create: `POST ${list} <${last}`,
  update: `PATCH ${list}/${one} <${last + 1}`,
  remove: `DELETE ${list}/${one}`,
  move: `POST ${list}/${one}/move <${last + 1}`
})

const site = "orgs/{0}/sites/{1}"
const openapi = "orgs/{0}/openapi"
const installations = "integrations/{0}/installations"

/**
 * By service and method: the method and the path of the request below `/v1`. `{0}` is the first argument, `?1` means
 * that the second is the query, `<1` that it is the body.
 */
export const routes = {
  collections: item("collections"),
  spaces: item("spaces"),
  organizations: { get: "GET orgs/{0}", update: "PATCH orgs/{0} <1" },
  members: {
    list: "GET orgs/{0}/members ?1",
    update: "PATCH orgs/{0}/members/{1} <2",
    remove: "DELETE orgs/{0}/members/{1}",
    listSpaces: "GET orgs/{0}/members/{1}/spaces ?2"
  },
  teams: {
    list: "GET orgs/{0}/teams ?1",
    create: "PUT orgs/{0}/teams <1",
    remove: "DELETE orgs/{0}/teams/{1}",
    updateMembers: "PUT orgs/{0}/teams/{1}/members <2"
  },
  invites: { ...listRoutes("orgs/{0}/link-invites", "{1}", 1), join: "POST orgs/{0}/invites/{1}" },
  permissions: {
    updateUser: "PATCH {shared}/permissions/users/{1} <2",
    updateTeam: "PATCH {shared}/permissions/teams/{1} <2",
    listEffective: "GET {shared}/permissions/aggregate ?1"
  },
  content: {
    edit: "POST {content}?compat=false <1",
    listPages: "GET {content}/pages ?1",
    listFiles: "GET {content}/files ?1",
    getPage: "GET {content}/page/{1} ?2",
    getPageByPath: "GET {content}/path/{1} ?2"
  },
  changeRequests: {
    list: "GET spaces/{0}/change-requests ?1",
    create: "POST spaces/{0}/change-requests <1",
    get: "GET spaces/{0}/change-requests/{1}",
    update: "PATCH spaces/{0}/change-requests/{1} <2",
    merge: "POST spaces/{0}/change-requests/{1}/merge",
    updateFromSpace: "POST spaces/{0}/change-requests/{1}/update"
  },
  comments: {
    list: "GET {subject}/comments ?1",
    listCommenters: "GET {subject}/commenters ?1",
    get: "GET {subject}/comments/{1} ?2",
    create: "POST {subject}/comments <1",
    update: "PUT {subject}/comments/{1} <2",
    remove: "DELETE {subject}/comments/{1}",
    listReplies: "GET {subject}/comments/{1}/replies ?2",
    getReply: "GET {subject}/comments/{1}/replies/{2} ?3",
    createReply: "POST {subject}/comments/{1}/replies <2",
    updateReply: "PUT {subject}/comments/{1}/replies/{2} <3",
    removeReply: "DELETE {subject}/comments/{1}/replies/{2}"
  },
  search: { searchSpace: "GET spaces/{0}/search ?1", searchOrganization: "GET orgs/{0}/search ?1" },
  sites: {
    ...listRoutes("orgs/{0}/sites", "{1}", 1),
    publish: `POST ${site}/publish`,
    unpublish: `POST ${site}/unpublish`
  },
  publishedSites: { get: `GET ${site}/published ?2`, getStructure: `GET ${site}/structure ?2` },
  siteSections: listRoutes(`${site}/sections`, "{2}", 2),
  siteSectionGroups: {
    ...listRoutes(`${site}/section-groups`, "{2}", 2),
    addSection: `POST ${site}/section-groups/{2}/sections <3`,
    removeSection: `DELETE ${site}/section-groups/{2}/sections/{3}`
  },
  siteSpaces: listRoutes(`${site}/site-spaces`, "{2}", 2),
  shareLinks: listRoutes(`${site}/share-links`, "{2}", 2),
  translations: {
    ...listRoutes("orgs/{0}/translations", "{1}", 1),
    update: "PUT orgs/{0}/translations/{1} <2"
  },
  specs: {
    ...listRoutes(openapi, "{1}", 1),
    createOrUpdate: `PUT ${openapi}/{1} <2`,
    listVersions: `GET ${openapi}/{1}/versions ?2`,
    getContent: `GET ${openapi}/{1}/versions/{2}/content`
  },
  integrations: {
    list: "GET integrations ?0",
    get: "GET integrations/{0}",
    publish: "POST integrations/{0} <1",
    unpublish: "DELETE integrations/{0}"
  },
  installations: listRoutes(installations, "{1}", 1)
} as const satisfies Record<string, Record<string, string>>
