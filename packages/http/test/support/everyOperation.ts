/** Every operation of the API, each called with success at least once, one after the other in one workspace. */

/** Calls an operation; what is called only on the way to others is named "". Fails where it is not a success. */
export type CallOperation = <A>(operation: string, method: string, path: string, body?: unknown) => Promise<A>

/** What it is told in: an administrator of two organizations, who call. */
export interface Teller {
  readonly call: CallOperation
  /** The id of who calls. */
  readonly user: string
  /** An organization that is empty but for them. */
  readonly organization: string
  /** Another one. */
  readonly elsewhere: string
  /** Does what waits to be done in the background. */
  readonly work: () => Promise<unknown>
}

/** Calls all of them. One that is missing is noticed by `queries.test.ts`, which counts the statements of each. */
export const callEveryOperation = async ({ call, user, organization, elsewhere, work }: Teller) => {
  type Made = { readonly id: string }
  const org = `/v1/orgs/${organization}`

  await call("getAuthenticatedUser", "GET", "/v1/user")
  await call("listOrganizationsForAuthenticatedUser", "GET", "/v1/orgs")
  await call("getOrganizationById", "GET", org)
  await call("getUserById", "GET", `/v1/users/${user}`)
  await call("updateUserById", "PATCH", `/v1/users/${user}`, { displayName: "Ada" })
  await call("updateOrganizationById", "PATCH", org, { title: "Acme", emailDomains: ["example.com"] })
  await call("getOrganizationsForEmailDomain", "GET", "/v1/email-domains/example.com/orgs")
  const invited = await call<{ users: ReadonlyArray<string> }>(
    "inviteUsersToOrganization",
    "POST",
    `${org}/invites`,
    { emails: ["bob@example.com", "cy@example.com"], role: "read" }
  )
  const [bob, cy] = invited.users
  const members = `${org}/members`
  await call("listMembersInOrganizationById", "GET", members)
  await call("getMemberInOrganizationById", "GET", `${members}/${bob}`)
  await call("updateMemberInOrganizationById", "PATCH", `${members}/${bob}`, { role: "edit" })
  await call("updateOrganizationMemberLastSeenAt", "POST", `${org}/ping`)
  await call("setUserAsSSOMemberForOrganization", "POST", `${members}/${bob}/sso`)
  const team = await call<Made>("createOrganizationTeam", "PUT", `${org}/teams`, {
    title: "Team",
    members: [bob]
  })
  const teamPath = `${org}/teams/${team.id}`
  await call("listTeamsInOrganizationById", "GET", `${org}/teams`)
  await call("getTeamInOrganizationById", "GET", teamPath)
  await call("updateTeamInOrganizationById", "PATCH", teamPath, { title: "Staff" })
  await call("updateMembersInOrganizationTeam", "PUT", `${teamPath}/members`, { add: [bob, cy] })
  await call("addMemberToOrganizationTeamById", "PUT", `${teamPath}/members/${cy}`, { role: "owner" })
  await call("listTeamMembersInOrganizationById", "GET", `${teamPath}/members`)
  const link = await call<Made>("createOrganizationInvite", "POST", `${org}/link-invites`, {
    role: "admin"
  })
  const linkPath = `${org}/link-invites/${link.id}`
  await call("listOrganizationInviteLinks", "GET", `${org}/link-invites`)
  await call("getOrganizationInviteLink", "GET", linkPath)
  await call("updateOrganizationInviteById", "PATCH", linkPath, { role: "edit" })
  await call("joinOrganizationWithInvite", "POST", `${org}/invites/${link.id}`)
  await call("deleteOrganizationInviteById", "DELETE", linkPath)
  const saml = await call<Made>("createOrganizationSAMLProvider", "POST", `${org}/saml`, {
    label: "Acme",
    defaultTeam: team.id
  })
  const samlPath = `${org}/saml/${saml.id}`
  await call("listSAMLProvidersInOrganizationById", "GET", `${org}/saml`)
  await call("getOrganizationSAMLProviderById", "GET", samlPath)
  await call("updateOrganizationSAMLProvider", "PATCH", samlPath, { label: "New" })
  await call("listSSOProviderLoginsInOrganization", "GET", `${org}/sso`)
  await call("deleteOrganizationSAMLProvider", "DELETE", samlPath)
  const outer = await call<Made>("createCollection", "POST", `${org}/collections`, {})
  const inner = await call<Made>("", "POST", `${org}/collections`, { parent: outer.id })
  const first = await call<Made>("createSpace", "POST", `${org}/spaces`, {})
  const second = await call<Made>("", "POST", `${org}/spaces`, { parent: inner.id })
  const before = { position: { before: { type: "collection", collection: outer.id } } }
  const at = `/v1/spaces/${first.id}`

  await call("getSpaceById", "GET", at)
  for (const [base, what] of [
    [`/v1/collections/${inner.id}/permissions`, "Collection"],
    [`/v1/spaces/${second.id}/permissions`, "Space"]
  ] as const) {
    await call(`inviteTo${what}`, "POST", base, { users: [bob], teams: [team.id], role: "edit" })
    await call(`listUserPermissionsIn${what}`, "GET", `${base}/users`)
    await call(`updateUserPermissionIn${what}`, "PATCH", `${base}/users/${bob}`, { role: "admin" })
    await call(`listTeamPermissionsIn${what}`, "GET", `${base}/teams`)
    await call(`updateTeamPermissionIn${what}`, "PATCH", `${base}/teams/${team.id}`, { role: "admin" })
    await call(`listPermissionsAggregateIn${what}`, "GET", `${base}/aggregate?role=admin`)
    await call(`removeUserFrom${what}`, "DELETE", `${base}/users/${bob}`)
    await call(`removeTeamFrom${what}`, "DELETE", `${base}/teams/${team.id}`)
  }
  await call("listSpacesForOrganizationMember", "GET", `${members}/${bob}/spaces`)
  await call("listTeamsForOrganizationMember", "GET", `${members}/${bob}/teams`)
  await call("deleteMemberFromOrganizationTeamById", "DELETE", `${teamPath}/members/${cy}`)
  await call("removeTeamFromOrganizationById", "DELETE", teamPath)
  await call("removeMemberFromOrganizationById", "DELETE", `${members}/${bob}`)
  await call("listSpacesInOrganizationById", "GET", `${org}/spaces`)
  await call("updateSpaceById", "PATCH", at, { title: "New" })
  await call("moveSpace", "POST", `${at}/move`, before)
  await call("duplicateSpace", "POST", `${at}/duplicate`)
  await call("deleteSpaceById", "DELETE", at)
  await call("restoreSpace", "POST", `${at}/restore`)
  await call("transferSpace", "POST", `${at}/transfer`, { organization: elsewhere })

  const made = await call<Made & { revision: string }>("", "POST", `${org}/spaces`, {})
  const content = `/v1/spaces/${made.id}/content`
  const page = { operation: "insert_page", document: { markdown: "# Intro\n\nText." } }
  const image = { name: "a.png", contentType: "image/png", base64: "iVBORw0KGgo=" }
  const reusable = { operation: "insert_reusable_content", title: "Note", document: { markdown: "Note." } }
  const files = { operation: "insert_files", files: [image] }
  await call("", "POST", content, { changes: [reusable] })
  const edited = await call<{
    revision: string
    changes: ReadonlyArray<{ page: Made }>
    insertedFiles: ReadonlyArray<Made>
  }>("updateSpaceContent", "POST", content, { changes: [page, files] })
  await call("searchSpaceContent", "GET", `/v1/spaces/${made.id}/search?query=intro`)
  await call("searchOrganizationContent", "GET", `${org}/search?query=intro`)
  const whole = await call<{ reusableContents: ReadonlyArray<Made> }>("getCurrentRevision", "GET", content)
  const [{ id: pageId }, { id: fileId }, { id: reusableId }] = [
    edited.changes[0]!.page,
    edited.insertedFiles[0]!,
    whole.reusableContents[0]!
  ]
  const proposals = `/v1/spaces/${made.id}/change-requests`
  await call("createChangeRequest", "POST", proposals, {})
  await call("listChangeRequestsForSpace", "GET", `${proposals}?status=draft`)
  await call("getChangeRequestById", "GET", `${proposals}/1`)
  await call("updateChangeRequestById", "PATCH", `${proposals}/1`, { subject: "New" })
  await call("updateChangeRequestContent", "POST", `${proposals}/1/content`, { changes: [page] })
  const imported = { url: "https://example.com/page.md", source: "markdown" }
  await call("importContent", "POST", `${content}/import`, imported)
  await call("importContentInChangeRequest", "POST", `${proposals}/1/content/import`, imported)
  await call("getChangeRequestChanges", "GET", `${proposals}/1/changes`)
  for (const [base, suffix] of [
    [content, ["", "", ""]],
    [
      `/v1/spaces/${made.id}/revisions/${edited.revision}`,
      ["InRevisionById", "InRevision", "InRevisionById"]
    ],
    [`${proposals}/1/content`, ["InChangeRequest", "InChangeRequest", "InChangeRequestById"]]
  ] as const) {
    const [plural, single, ofFile] = suffix
    const named = (name: string) => (single === "" ? `${name}ById` : `${name}${single}ById`)
    await call(`listPages${plural}`, "GET", `${base}/pages`)
    await call(`listFiles${ofFile}`, "GET", `${base}/files`)
    await call(named("getFile"), "GET", `${base}/files/${fileId}`)
    await call(named("getPage"), "GET", `${base}/page/${pageId}?format=markdown`)
    await call(`getPage${single}ByPath`, "GET", `${base}/path/intro`)
    await call(named("getReusableContent"), "GET", `${base}/reusable-contents/${reusableId}`)
  }
  await call("listSpaceLinks", "GET", `/v1/spaces/${made.id}/links`)
  await call("listChangeRequestLinks", "GET", `${proposals}/1/links`)
  for (const [at, place, owner] of [
    [content, "InSpace", "Space"],
    [`${proposals}/1/content`, "InChangeRequest", "ChangeRequest"]
  ] as const) {
    await call(`listPageLinks${place}`, "GET", `${at}/page/${pageId}/links`)
    await call(`list${owner}PageBacklinks`, "GET", `${at}/page/${pageId}/backlinks`)
    await call(`list${owner}FileBacklinks`, "GET", `${at}/files/${fileId}/backlinks`)
  }
  const revision = `/v1/spaces/${made.id}/revisions/${edited.revision}`
  await call("getRevisionById", "GET", revision)
  await call("getRevisionSemanticChanges", "GET", `${revision}/changes`)
  await call("getPageDocumentInRevisionById", "GET", `${revision}/page/${pageId}/document`)
  await call("getRevisionOfChangeRequestById", "GET", `${proposals}/1/content`)
  await call("getSpacePDF", "GET", `/v1/spaces/${made.id}/pdf`)
  await call("getChangeRequestPDF", "GET", `${proposals}/1/pdf`)
  for (const [base, suffix] of [
    [`/v1/spaces/${made.id}`, "InSpace"],
    [`${proposals}/1`, "InChangeRequest"]
  ] as const) {
    const said = { body: { markdown: "Words, for @ada@example.com." } }
    const thread = `${base}/comments`
    const { id } = await call<Made>(`postComment${suffix}`, "POST", thread, { ...said, page: pageId })
    await call(`listComments${suffix}`, "GET", thread)
    await call(`getComment${suffix}`, "GET", `${thread}/${id}`)
    await call(`updateComment${suffix}`, "PUT", `${thread}/${id}`, {
      resolved: true,
      addedReactions: ["👍"]
    })
    const replies = `${thread}/${id}/replies`
    const reply = await call<Made>(`postCommentReply${suffix}`, "POST", replies, said)
    await call(`listCommentReplies${suffix}`, "GET", replies)
    await call(`getCommentReply${suffix}`, "GET", `${replies}/${reply.id}`)
    await call(`updateCommentReply${suffix}`, "PUT", `${replies}/${reply.id}`, { addedReactions: ["👍"] })
    await call(`listCommenters${suffix}`, "GET", `${base}/commenters`)
    await call(`deleteCommentReply${suffix}`, "DELETE", `${replies}/${reply.id}`)
    await call(`deleteComment${suffix}`, "DELETE", `${thread}/${id}`)
  }
  await call("updateChangeRequest", "POST", `${proposals}/1/update`)
  await call("mergeChangeRequest", "POST", `${proposals}/1/merge`)

  const site = await call<Made>("createSite", "POST", `${org}/sites`, { spaces: [second.id] })
  const siteAt = `${org}/sites/${site.id}`
  await call("listSites", "GET", `${org}/sites`)
  await call("getSiteById", "GET", siteAt)
  await call("updateSiteById", "PATCH", siteAt, { title: "Docs" })
  await call("publishSite", "POST", `${siteAt}/publish`)
  const section = await call<Made & { siteSpaces: ReadonlyArray<Made> }>(
    "addSectionToSite",
    "POST",
    `${siteAt}/sections`,
    { spaceId: made.id }
  )
  const sectionAt = `${siteAt}/sections/${section.id}`
  const siteSpaceAt = `${siteAt}/site-spaces/${section.siteSpaces[0]!.id}`
  await call("listSiteSections", "GET", `${siteAt}/sections`)
  await call("updateSiteSectionById", "PATCH", sectionAt, { title: "New" })
  await call("moveSiteSection", "POST", `${sectionAt}/move`, {})
  const group = await call<Made>("addSectionGroupToSite", "POST", `${siteAt}/section-groups`, {
    title: "G"
  })
  const groupAt = `${siteAt}/section-groups/${group.id}`
  await call("listSiteSectionGroups", "GET", `${siteAt}/section-groups`)
  await call("updateSiteSectionGroupById", "PATCH", groupAt, { title: "H" })
  await call("addSectionToGroup", "POST", `${groupAt}/sections`, { sectionId: section.id })
  await call("moveSiteSectionGroup", "POST", `${groupAt}/move`, {})
  await call("removeSectionFromGroup", "DELETE", `${groupAt}/sections/${section.id}`)
  await call("deleteSiteSectionGroupById", "DELETE", groupAt)
  await call("listSiteSpaces", "GET", `${siteAt}/site-spaces`)
  await call("updateSiteSpaceById", "PATCH", siteSpaceAt, { path: "new" })
  await call("moveSiteSpace", "POST", `${siteSpaceAt}/move`, {})
  await call("getPublishedContentSite", "GET", `${siteAt}/published`)
  await call("getSiteStructure", "GET", `${siteAt}/structure`)
  const jsonSchema = { type: "object", properties: {}, additionalProperties: false }
  await call("updateSiteAdaptiveSchema", "PUT", `${siteAt}/adaptive-schema`, { jsonSchema })
  await call("getSiteAdaptiveSchema", "GET", `${siteAt}/adaptive-schema`)
  const looks = await call("getSiteCustomizationById", "GET", `${siteAt}/customization`)
  await call("updateSiteCustomizationById", "PUT", `${siteAt}/customization`, looks)
  await call("getSitePublishingAuthById", "GET", `${siteAt}/publishing/auth`)
  await call("updateSitePublishingAuthById", "PATCH", `${siteAt}/publishing/auth`, { fallbackURL: null })
  await call("regenerateSitePublishingAuthById", "POST", `${siteAt}/publishing/auth/regenerate`)
  const link2 = await call<Made>("createSiteShareLink", "POST", `${siteAt}/share-links`, { name: "Link" })
  const linkAt = `${siteAt}/share-links/${link2.id}`
  await call("listSiteShareLinks", "GET", `${siteAt}/share-links`)
  await call("updateSiteShareLinkById", "PATCH", linkAt, { active: false })
  await call("deleteSiteShareLinkById", "DELETE", linkAt)
  await call("deleteSiteSpaceById", "DELETE", siteSpaceAt)
  await call("addSpaceToSite", "POST", `${siteAt}/site-spaces`, { spaceId: made.id, sectionId: section.id })
  await call("deleteSiteSectionById", "DELETE", sectionAt)
  await call("unpublishSite", "POST", `${siteAt}/unpublish`)
  await call("deleteSiteById", "DELETE", siteAt)

  const text = JSON.stringify({ openapi: "3.1.0", info: { title: "API", version: "1" }, paths: {} })
  const specs = `${org}/openapi`
  await call("createOpenAPISpec", "POST", specs, { slug: "api", source: { text } })
  await call("createOrUpdateOpenAPISpecBySlug", "PUT", `${specs}/api`, { source: { text } })
  await work()
  await call("listOpenAPISpecs", "GET", specs)
  await call("getOpenAPISpecBySlug", "GET", `${specs}/api`)
  await call("listOpenAPISpecVersions", "GET", `${specs}/api/versions`)
  const latest = await call<Made>("getLatestOpenAPISpecVersion", "GET", `${specs}/api/versions/latest`)
  await call("getLatestOpenAPISpecVersionContent", "GET", `${specs}/api/versions/latest/content`)
  await call("getOpenAPISpecVersionById", "GET", `${specs}/api/versions/${latest.id}`)
  await call("getOpenAPISpecVersionContentById", "GET", `${specs}/api/versions/${latest.id}/content`)
  await call("deleteOpenAPISpecBySlug", "DELETE", `${specs}/api`)
  const translation = await call<Made>("createTranslation", "POST", `${org}/translations`, { title: "T" })
  await call("listTranslations", "GET", `${org}/translations`)
  await call("getTranslation", "GET", `${org}/translations/${translation.id}`)
  await call("updateTranslation", "PUT", `${org}/translations/${translation.id}`, { title: "U" })
  await call("deleteTranslation", "DELETE", `${org}/translations/${translation.id}`)
  const integration = "/v1/integrations/example"
  await call("publishIntegration", "POST", integration, {
    organization,
    title: "Example",
    description: "",
    script: "x",
    scopes: [],
    secrets: { key: "value" }
  })
  await call("listIntegrations", "GET", "/v1/integrations")
  await call("getIntegrationByName", "GET", integration)
  const install = await call<Made>("installIntegration", "POST", `${integration}/installations`, {
    organization
  })
  const installAt = `${integration}/installations/${install.id}`
  await call("listIntegrationInstallations", "GET", `${integration}/installations`)
  await call("getIntegrationInstallationById", "GET", installAt)
  await call("updateIntegrationInstallation", "PATCH", installAt, { externalIds: ["a"] })
  await call("uninstallIntegration", "DELETE", installAt)
  await call("unpublishIntegration", "DELETE", integration)

  const folder = `/v1/collections/${outer.id}`
  await call("getCollectionById", "GET", folder)
  await call("listCollectionsInOrganizationById", "GET", `${org}/collections`)
  await call("listSpacesInCollectionById", "GET", `/v1/collections/${inner.id}/spaces`)
  await call("updateCollectionById", "PATCH", folder, { title: "New" })
  const third = await call<Made>("", "POST", `${org}/collections`, {})
  await call("moveCollection", "POST", `${folder}/move`, { parent: third.id })
  await call("transferCollection", "POST", `${folder}/transfer`, { organization: elsewhere })
  await call("deleteCollectionById", "DELETE", folder)
}
