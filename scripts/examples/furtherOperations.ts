/** A scenario with the operations that the contract suite does not call, for their examples. */
import type { ContractScenario, Query, Request, Stage } from "@lectern/testkit/contract"

type Params = Readonly<Record<string, string>>

interface Input {
  readonly query?: Query
  readonly body?: Request["body"]
}

/** The parts of a response that the scenario reads. */
interface Result {
  readonly id: string
  readonly revision: string
  readonly items: ReadonlyArray<{ readonly id: string }>
  readonly changes: ReadonlyArray<{ readonly page: { readonly id: string } }>
  readonly insertedFiles: ReadonlyArray<{ readonly id: string }>
  readonly reusableContents: ReadonlyArray<{ readonly id: string }>
}

/** Calls an operation. Throws if it does not succeed. */
type Call = (operation: string, params?: Params, input?: Input) => Promise<Result>

const callerOf =
  ({ client }: Stage, token: string): Call =>
  async (operation, params = {}, input = {}) => {
    // The type has the operations of the specification only. The server has more.
    const request = { operation: operation as Request["operation"], params, token, ...input }
    const { status, text, value } = await client.sendByOfficialClient(request)
    if (status >= 300) throw new Error(`${operation} responds with ${status}: ${text}`)
    return value as unknown as Result
  }

const runPeople = async ({ ada, bob, eve, rita, acme, ...stage }: Stage): Promise<void> => {
  const call = callerOf({ ada, bob, eve, rita, acme, ...stage }, ada.token)
  const at = { organizationId: acme.id }
  await call("getAuthenticatedUser")
  await call("getUserById", { userId: bob.id })
  const displayName = { displayName: "Ada", photoURL: "https://www.example.com/ada.png" }
  await call("updateUserById", { userId: ada.id }, { body: displayName })
  const team = {
    ...at,
    teamId: (await call("createOrganizationTeam", at, { body: { title: "Authors" } })).id
  }
  await call("updateTeamInOrganizationById", team, { body: { title: "Technical writers" } })
  await call("getTeamInOrganizationById", team)
  await call("listTeamsInOrganizationById", at, { query: { title: "Technical" } })
  const invite = await call("createOrganizationInvite", at, { body: { role: "comment" } })
  await call("listOrganizationInviteLinks", at)
  const asEve = callerOf({ ada, bob, eve, rita, acme, ...stage }, eve.token)
  await asEve("joinOrganizationWithInvite", { ...at, inviteId: invite.id })

  const collection = await call("createCollection", at, { body: { title: "Products" } })
  const space = await call("createSpace", at, { body: { title: "Permissions" } })
  for (const [kind, target] of [
    ["Collection", { collectionId: collection.id }],
    ["Space", { spaceId: space.id }]
  ] as const) {
    const users = { role: "edit", users: [bob.id, rita.id], teams: [team.teamId] }
    await call(`inviteTo${kind}`, target, { body: users })
    await call(`listUserPermissionsIn${kind}`, target, { query: { limit: 1 } })
    await call(`listTeamPermissionsIn${kind}`, target)
    await call(`listPermissionsAggregateIn${kind}`, target, { query: { role: "edit", limit: 1 } })
    const user = { ...target, userId: bob.id }
    await call(`updateUserPermissionIn${kind}`, user, { body: { role: "review" } })
    await call(`removeUserFrom${kind}`, user)
    const granted = { ...target, teamId: team.teamId }
    await call(`updateTeamPermissionIn${kind}`, granted, { body: { role: "comment" } })
    await call(`removeTeamFrom${kind}`, granted)
  }
  await call("listSpacesInOrganizationById", at, { query: { limit: 1 } })
  await call("removeTeamFromOrganizationById", team)
}

const runContent = async (stage: Stage): Promise<void> => {
  const call = callerOf(stage, stage.ada.token)
  const { id: spaceId } = await call(
    "createSpace",
    { organizationId: stage.acme.id },
    { body: { title: "Handbook" } }
  )
  const space = { spaceId }
  const changes = [
    {
      operation: "insert_files",
      files: [{ ref: "plan", name: "plan.txt", contentType: "text/plain", base64: "aGk=" }]
    },
    { operation: "insert_reusable_content", title: "Support", document: { markdown: "Call us." } },
    {
      operation: "insert_page",
      title: "Install",
      ref: "install",
      document: { markdown: "Run `npm install`." }
    },
    {
      operation: "insert_page",
      title: "Start",
      document: { markdown: "Read [how to install](./install.md) and the [plan](./plan)." }
    }
  ]
  const edited = await call("updateSpaceContent", space, { body: { changes } })
  const pageId = edited.changes[0]!.page.id
  const fileId = edited.insertedFiles[0]!.id
  const { reusableContents } = await call("getCurrentRevision", space)
  const reusableContentId = reusableContents[0]!.id
  await call("getPageByPath", { ...space, pagePath: "install" }, { query: { format: "markdown" } })
  await call("getReusableContentById", { ...space, reusableContentId })
  await call("listSpacePageBacklinks", { ...space, pageId })
  await call("listSpaceFileBacklinks", { ...space, fileId })
  await call("listSpaceLinks", space, { query: { limit: 1 } })
  await call("getSpacePDF", space)

  const revision = { ...space, revisionId: edited.revision }
  await call("getRevisionById", revision)
  await call("getRevisionSemanticChanges", revision, { query: { limit: 1 } })
  await call("listPagesInRevisionById", revision)
  await call("listFilesInRevisionById", revision)
  await call("getFileInRevisionById", { ...revision, fileId })
  await call("getPageInRevisionById", { ...revision, pageId }, { query: { format: "markdown" } })
  await call("getPageDocumentInRevisionById", { ...revision, pageId })
  await call("getPageInRevisionByPath", { ...revision, pagePath: "install" })
  await call("getReusableContentInRevisionById", { ...revision, reusableContentId })

  const proposed = await call("createChangeRequest", space, { body: { subject: "Explain the options" } })
  const changeRequest = { ...space, changeRequestId: proposed.id }
  const update = [{ operation: "update_page", page: pageId, title: "Installation" }]
  await call("updateChangeRequestContent", changeRequest, { body: { changes: update } })
  await call("getChangeRequestChanges", changeRequest)
  await call("getPageInChangeRequestByPath", { ...changeRequest, pagePath: "install" })
  await call("getReusableContentInChangeRequestById", { ...changeRequest, reusableContentId })
  await call("listChangeRequestLinks", changeRequest, { query: { limit: 1 } })
  await call("listChangeRequestPageBacklinks", { ...changeRequest, pageId })

  for (const [kind, target] of [
    ["Space", space],
    ["ChangeRequest", changeRequest]
  ] as const) {
    const body = { body: { markdown: "Which version?" } }
    const comment = await call(`postCommentIn${kind}`, target, { body })
    const thread = { ...target, commentId: comment.id }
    const reply = await call(`postCommentReplyIn${kind}`, thread, {
      body: { body: { markdown: "Version 2." } }
    })
    const posted = { ...thread, commentReplyId: reply.id }
    const corrected = { body: { markdown: "Version 3." }, addedReactions: ["1f44d"] }
    await call(`updateCommentReplyIn${kind}`, posted, { body: corrected })
    await call(`listCommentersIn${kind}`, target)
    await call(`deleteCommentReplyIn${kind}`, posted)
  }
}

const runSites = async (stage: Stage): Promise<void> => {
  const { acme, tag } = stage
  const call = callerOf(stage, stage.ada.token)
  const at = { organizationId: acme.id }
  const space = await call("createSpace", at, { body: { title: "Guide" } })
  const body = { type: "premium", title: `Guide ${tag}`, visibility: "visitor-auth", spaces: [space.id] }
  const site = { ...at, siteId: (await call("createSite", at, { body })).id }
  await call("publishSite", site)
  await call("getSiteStructure", site)
  const customization = await call("getSiteCustomizationById", site)
  await call("updateSiteCustomizationById", site, { body: customization as unknown as Request["body"] })
  await call("getSitePublishingAuthById", site)
  const fallbackURL = "https://www.example.com/login"
  await call("updateSitePublishingAuthById", site, { body: { fallbackURL } })
  await call("regenerateSitePublishingAuthById", site)
  await call("unpublishSite", site)

  const integration = { integrationName: `tables-${tag}` }
  const manifest = {
    title: "Tables",
    description: "Shows tables",
    scopes: ["space:content:read"],
    script: "addEventListener('fetch', () => {})",
    organization: acme.id
  }
  await call("publishIntegration", integration, { body: manifest })
  const installed = await call("installIntegration", integration, { body: { organization: acme.id } })
  const installation = { ...integration, installationId: installed.id }
  await call("getIntegrationInstallationById", installation)
  await call("updateIntegrationInstallation", installation, { body: { space_selection: "selected" } })
  await call("uninstallIntegration", installation)
}

/** Calls the operations that the scenarios of the contract suite do not call. */
export const furtherOperations = (onTag: (tag: string) => void): ContractScenario => ({
  title: "The operations beyond the specification respond as declared",
  run: async (stage) => {
    onTag(stage.tag)
    await runPeople(stage)
    await runContent(stage)
    await runSites(stage)
  }
})
