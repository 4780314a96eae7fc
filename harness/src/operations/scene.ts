/** A workspace in which every operation of the API can be called: it has a resource for each path parameter. */
import {
  adaptiveSchema,
  fontOf,
  hostname,
  insertedFile,
  integrationOf,
  mcpServer,
  page,
  publishedUrl,
  redirectSource,
  siteScript,
  specSource,
  subdomain
} from "./sceneInputs.ts"

/** Calls the API as the owner of the scene, an administrator. Rejects if the call does not succeed. */
export type CallAsOwner = <A>(method: string, path: string, body?: unknown) => Promise<A>

/** The workspace that a scene is built in. */
export interface SceneHost {
  readonly call: CallAsOwner
  /** Runs the background jobs that are due. */
  readonly work: () => Promise<unknown>
  /** Starts a session of the owner, and returns its id: only a browser starts one. */
  readonly signIn: () => Promise<string>
  /** Authorizes a program of others for the owner, and returns the id of the authorization: only a browser does. */
  readonly authorizeProgram: () => Promise<string>
  /** Uploads a font for the owner, and returns its key. */
  readonly uploadFont: () => Promise<string>
  /** The id and the e-mail address of the owner. */
  readonly owner: { readonly id: string; readonly email: string }
  /** An organization whose administrator is the owner. */
  readonly organization: string
  /** Another organization whose administrator is the owner. */
  readonly elsewhere: string
}

/** A value for each path parameter of the API. */
export type SceneIds = Readonly<
  Record<
    | "auditEventId"
    | "changeRequestId"
    | "collectionId"
    | "documentId"
    | "commentId"
    | "commentReplyId"
    | "deliveryId"
    | "emailDomain"
    | "eventId"
    | "fileId"
    | "fontId"
    | "glossaryEntryId"
    | "hostname"
    | "importRunId"
    | "installationId"
    | "integrationName"
    | "inviteId"
    | "oidcProviderId"
    | "organizationId"
    | "pageId"
    | "pagePath"
    | "programId"
    | "reusableContentId"
    | "reviewId"
    | "revisionId"
    | "samlProviderId"
    | "sessionId"
    | "shareLinkId"
    | "siteExternalLinkId"
    | "siteMcpServerId"
    | "siteRedirectId"
    | "siteScriptId"
    | "siteId"
    | "siteSectionGroupId"
    | "siteSectionId"
    | "siteSpaceId"
    | "spaceId"
    | "specSlug"
    | "subdomain"
    | "teamId"
    | "tokenId"
    | "translationSettingsId"
    | "userId"
    | "versionId"
    | "webhookId",
    string
  >
>

/** The content of a scene. */
export interface Scene {
  readonly ids: SceneIds
  /** The comment and the reply on the change request. The comment and the reply in `ids` are on the space. */
  readonly onChangeRequest: Pick<SceneIds, "commentId" | "commentReplyId">
  readonly owner: SceneHost["owner"]
  /** A second member. The first, `ids.userId`, is in the team, and content is shared with them. */
  readonly otherUser: string
  /** A third member, who can review change requests. */
  readonly reviewer: string
  /** Another organization. */
  readonly elsewhere: string
  /** The parent of the space and of the collection, and the parent of that. */
  readonly parent: string
  readonly above: string
  /** The name of an integration that is not installed. */
  readonly freeIntegration: string
  readonly customization: unknown
  /** The key of an uploaded font. */
  readonly fontKey: string
}

interface Created {
  readonly id: string
}

const buildPeople = async ({ call, organization }: SceneHost) => {
  const org = `/v1/orgs/${organization}`
  await call("PATCH", org, { emailDomains: ["example.com"] })
  const emails = ["bob@example.com", "cy@example.com"]
  const { users } = await call<{ users: ReadonlyArray<string> }>("POST", `${org}/invites`, {
    emails,
    role: "read"
  })
  const [userId, otherUser] = users as [string, string]
  const reviewers = await call<{ users: ReadonlyArray<string> }>("POST", `${org}/invites`, {
    emails: ["di@example.com"],
    role: "review"
  })
  const team = await call<Created>("PUT", `${org}/teams`, { title: "Team", members: [userId] })
  const invite = await call<Created>("POST", `${org}/link-invites`, { role: null })
  const saml = await call<Created>("POST", `${org}/saml`, {
    label: "Acme",
    defaultTeam: team.id
  })
  const oidc = await call<Created>("POST", `${org}/oidc`, {
    label: "Acme",
    issuer: "https://login.example.com",
    clientID: "lectern",
    defaultTeam: team.id
  })
  return {
    userId,
    otherUser,
    reviewer: reviewers.users[0]!,
    teamId: team.id,
    inviteId: invite.id,
    samlProviderId: saml.id,
    oidcProviderId: oidc.id
  }
}

/** A space and a collection in a collection in a collection, both shared with a member and a team. */
const buildTree = async (
  { call, organization }: SceneHost,
  userId: string,
  teamId: string,
  reviewer: string
) => {
  const org = `/v1/orgs/${organization}`
  const above = await call<Created>("POST", `${org}/collections`, {})
  const parent = await call<Created>("POST", `${org}/collections`, { parent: above.id })
  const collection = await call<Created>("POST", `${org}/collections`, { parent: parent.id })
  const space = await call<Created>("POST", `${org}/spaces`, { parent: parent.id })
  const inner = await call<Created>("POST", `${org}/collections`, { parent: collection.id })
  await call("POST", `${org}/spaces`, { parent: inner.id })
  const grants = { role: "read", users: [userId], teams: [teamId] }
  await call("POST", `/v1/spaces/${space.id}/permissions`, grants)
  await call("POST", `/v1/collections/${collection.id}/permissions`, grants)
  await call("POST", `/v1/spaces/${space.id}/permissions`, { role: "review", users: [reviewer] })
  return { above: above.id, parent: parent.id, collectionId: collection.id, spaceId: space.id }
}

/** Pages, a file, a reusable content, an outdated change request, and comments on the space and the change request. */
const buildContent = async ({ call }: SceneHost, spaceId: string) => {
  const space = `/v1/spaces/${spaceId}`
  await call("POST", `${space}/content`, {
    changes: [
      page("# Intro\n\nText."),
      insertedFile,
      { operation: "insert_reusable_content", title: "Note", document: { markdown: "Note." } }
    ]
  })
  const content = await call<{
    id: string
    pages: ReadonlyArray<Created & { documentId: string }>
    files: ReadonlyArray<Created>
    reusableContents: ReadonlyArray<Created>
  }>("GET", `${space}/content`)
  const pageId = content.pages[0]!.id
  const proposal = await call<Created>("POST", `${space}/change-requests`, {})
  const proposed = `${space}/change-requests/${proposal.id}`
  await call("POST", `${proposed}/content`, { changes: [page("# Proposed")] })
  await call("POST", `${space}/content`, { changes: [page("# Meanwhile")] })
  const thread = async (target: string) => {
    const body = { body: { markdown: "Words." } }
    const comment = await call<Created>("POST", `${target}/comments`, { ...body, page: pageId })
    const reply = await call<Created>("POST", `${target}/comments/${comment.id}/replies`, body)
    return { commentId: comment.id, commentReplyId: reply.id }
  }
  const review = await call<Created>("POST", `${proposed}/reviews`, { status: "approved" })
  return {
    ids: {
      revisionId: content.id,
      reviewId: review.id,
      pageId,
      documentId: content.pages[0]!.documentId,
      pagePath: "intro",
      fileId: content.files[0]!.id,
      reusableContentId: content.reusableContents[0]!.id,
      changeRequestId: proposal.id,
      ...(await thread(space))
    },
    onChangeRequest: await thread(proposed)
  }
}

/** A published site with a share link, and with a section in a section group. */
const buildSite = async ({ call, organization }: SceneHost, userId: string, teamId: string) => {
  const org = `/v1/orgs/${organization}`
  const space = await call<Created>("POST", `${org}/spaces`, {})
  const site = await call<Created>("POST", `${org}/sites`, { title: "Docs" })
  const path = `${org}/sites/${site.id}`
  const section = await call<Created & { siteSpaces: ReadonlyArray<Created> }>("POST", `${path}/sections`, {
    spaceId: space.id
  })
  const group = await call<Created>("POST", `${path}/section-groups`, {
    title: "Group",
    sections: [section.id]
  })
  const external = await call<Created>("POST", `${path}/external-links`, {
    title: "Status",
    url: "https://status.example.com/"
  })
  const link = await call<Created>("POST", `${path}/share-links`, { name: "Link" })
  await call("PUT", `${path}/adaptive-schema`, adaptiveSchema)
  await call("PATCH", path, { proxy: publishedUrl.replace("https://", "") })
  const redirect = await call<Created>("POST", `${path}/redirects`, {
    source: redirectSource,
    destination: { kind: "site-section", siteSectionId: section.id }
  })
  const server = await call<Created>("POST", `${path}/mcp-servers`, mcpServer)
  const script = await call<Created>("POST", `${path}/scripts`, siteScript)
  await call("POST", `${path}/permissions`, { role: "read", users: [userId], teams: [teamId] })
  await call("POST", `${path}/publish`)
  return {
    ids: {
      siteId: site.id,
      siteSectionId: section.id,
      siteSectionGroupId: group.id,
      siteSpaceId: section.siteSpaces[0]!.id,
      shareLinkId: link.id,
      siteExternalLinkId: external.id,
      siteRedirectId: redirect.id,
      siteMcpServerId: server.id,
      siteScriptId: script.id
    },
    customization: await call("GET", `${path}/customization`)
  }
}

const buildIntegrations = async (
  { call, work, organization }: SceneHost,
  { spaceId, siteId }: Pick<SceneIds, "spaceId" | "siteId">,
  { publisher, scopes }: Required<SceneOptions>
) => {
  const org = `/v1/orgs/${organization}`
  const translation = await call<Created>("POST", `${org}/translations`, { title: "Translation" })
  await call("PUT", `${org}/translations-glossary`, {
    operations: [{ type: "insert", translations: { en: "page", fr: "page" } }]
  })
  const glossary = await call<{ items: ReadonlyArray<Created> }>("GET", `${org}/translations-glossary`)
  await call("POST", `${org}/openapi`, { slug: "spec", source: specSource })
  await work()
  const version = await call<Created>("GET", `${org}/openapi/spec/versions/latest`)
  await call("POST", "/v1/integrations/installed", integrationOf(publisher, scopes))
  await call("POST", "/v1/integrations/free", integrationOf(publisher))
  const installation = await call<Created>("POST", "/v1/integrations/installed/installations", {
    organization
  })
  const installed = `/v1/integrations/installed/installations/${installation.id}`
  await call("POST", `${installed}/spaces`, { space: spaceId })
  await call("POST", `${installed}/sites`, { siteId })
  const events = await call<{ items: ReadonlyArray<Created> }>("GET", "/v1/integrations/installed/events")
  return {
    eventId: events.items[0]!.id,
    glossaryEntryId: glossary.items[0]!.id,
    translationSettingsId: translation.id,
    specSlug: "spec",
    versionId: version.id,
    integrationName: "installed",
    installationId: installation.id
  }
}

/** A webhook that has a delivery, which is not sent. */
const buildWebhook = async ({ call, organization }: SceneHost) => {
  const org = `/v1/orgs/${organization}`
  const webhook = await call<Created>("POST", `${org}/webhooks`, {
    url: "https://example.com/hook",
    events: ["space.created"]
  })
  await call("POST", `${org}/spaces`, {})
  await call("GET", `${org}/events`)
  const deliveries = await call<{ items: ReadonlyArray<Created> }>(
    "GET",
    `${org}/webhooks/${webhook.id}/deliveries`
  )
  return { webhookId: webhook.id, deliveryId: deliveries.items[0]!.id }
}

/** The variants of a scene. */
export interface SceneOptions {
  /** The organization that publishes the integrations, whose administrators include the owner; that of the scene by default. */
  readonly publisher?: string
  /** The scopes of the integration that is installed; none by default. */
  readonly scopes?: ReadonlyArray<string>
}

/** Builds a scene in a new workspace. */
export const buildScene = async (
  host: SceneHost,
  { publisher = host.organization, scopes = [] }: SceneOptions = {}
): Promise<Scene> => {
  const { otherUser, reviewer, ...people } = await buildPeople(host)
  const { above, parent, ...tree } = await buildTree(host, people.userId, people.teamId, reviewer)
  const content = await buildContent(host, tree.spaceId)
  const site = await buildSite(host, people.userId, people.teamId)
  const integrations = await buildIntegrations(host, { ...tree, ...site.ids }, { publisher, scopes })
  // The run stays pending, because no worker performs jobs in the scene.
  const run = await host.call<Created>("POST", `/v1/org/${host.organization}/imports`, {
    source: { type: "markdown", url: "http://127.0.0.1:1/page.md" },
    target: { space: tree.spaceId }
  })
  const fontKey = await host.uploadFont()
  const font = await host.call<Created>("PUT", `/v1/orgs/${host.organization}/fonts`, fontOf(fontKey))
  const events = await host.call<{ readonly items: ReadonlyArray<Created> }>(
    "GET",
    `/v1/orgs/${host.organization}/audit-events`
  )
  const webhook = await buildWebhook(host)
  const token = await host.call<Created>("POST", "/v1/user/tokens", {
    label: "Scene",
    organization: host.organization
  })
  return {
    ids: {
      organizationId: host.organization,
      // A workspace without an audit log has no events.
      auditEventId: events.items[0]?.id ?? "00000000-0000-0000-0000-000000000000",
      emailDomain: "example.com",
      hostname,
      subdomain,
      ...people,
      ...tree,
      ...content.ids,
      ...site.ids,
      ...integrations,
      importRunId: run.id,
      tokenId: token.id,
      sessionId: await host.signIn(),
      programId: await host.authorizeProgram(),
      ...webhook,
      fontId: font.id
    },
    onChangeRequest: content.onChangeRequest,
    owner: host.owner,
    otherUser,
    reviewer,
    elsewhere: host.elsewhere,
    parent,
    above,
    freeIntegration: "free",
    customization: site.customization,
    fontKey
  }
}
