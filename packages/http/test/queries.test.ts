import { BackgroundWork } from "@lectern/core"
import { Api } from "@lectern/http"
import { counting, MemoryStorage } from "@lectern/testkit"
import { Clock, Effect, Layer } from "effect"
import { HttpApi } from "effect/http-api"
import { expect, it } from "vitest"
import { fetched } from "./support/fetched.ts"
import { startServer } from "./support.ts"

/**
 * The statements of every operation, the one that tells who asks included: a reviewer reads a change of them as a
 * diff. None depends on how much there is, but for those that go through a subtree, which is of two collections here.
 */
const statements: Record<string, number> = {
  getAuthenticatedUser: 2,
  listOrganizationsForAuthenticatedUser: 5,
  getOrganizationById: 5,
  getSpaceById: 4,
  listSpacesInOrganizationById: 5,
  createSpace: 7,
  updateSpaceById: 5,
  moveSpace: 8,
  duplicateSpace: 12,
  deleteSpaceById: 6,
  restoreSpace: 5,
  transferSpace: 11,
  getCollectionById: 4,
  listCollectionsInOrganizationById: 5,
  listSpacesInCollectionById: 6,
  createCollection: 6,
  updateCollectionById: 5,
  moveCollection: 16,
  transferCollection: 18,
  deleteCollectionById: 12,
  getCurrentRevision: 5,
  updateSpaceContent: 14,
  importContent: 16,
  listPages: 5,
  listFiles: 5,
  getFileById: 5,
  getPageById: 5,
  getPageByPath: 5,
  getReusableContentById: 5,
  getFileInRevisionById: 5,
  getPageDocumentInRevisionById: 5,
  getPageInRevisionById: 5,
  getPageInRevisionByPath: 5,
  getReusableContentInRevisionById: 5,
  getRevisionById: 5,
  getRevisionSemanticChanges: 6,
  listFilesInRevisionById: 5,
  listPagesInRevisionById: 5,
  listChangeRequestsForSpace: 7,
  createChangeRequest: 9,
  getChangeRequestById: 6,
  updateChangeRequestById: 7,
  mergeChangeRequest: 12,
  updateChangeRequest: 9,
  getChangeRequestChanges: 7,
  getFileInChangeRequestById: 6,
  getPageInChangeRequestById: 6,
  getPageInChangeRequestByPath: 6,
  getReusableContentInChangeRequestById: 6,
  getRevisionOfChangeRequestById: 6,
  getSpacePDF: 5,
  getChangeRequestPDF: 6,
  listFilesInChangeRequestById: 6,
  listPagesInChangeRequest: 6,
  updateChangeRequestContent: 13,
  importContentInChangeRequest: 18,
  deleteCommentInSpace: 6,
  deleteCommentReplyInSpace: 8,
  getCommentInSpace: 8,
  getCommentReplyInSpace: 8,
  listCommentRepliesInSpace: 9,
  listCommentersInSpace: 11,
  listCommentsInSpace: 9,
  postCommentInSpace: 11,
  postCommentReplyInSpace: 10,
  updateCommentInSpace: 11,
  updateCommentReplyInSpace: 9,
  deleteCommentInChangeRequest: 7,
  deleteCommentReplyInChangeRequest: 9,
  getCommentInChangeRequest: 9,
  getCommentReplyInChangeRequest: 9,
  listCommentRepliesInChangeRequest: 10,
  listCommentersInChangeRequest: 12,
  listCommentsInChangeRequest: 10,
  postCommentInChangeRequest: 12,
  postCommentReplyInChangeRequest: 11,
  updateCommentInChangeRequest: 12,
  updateCommentReplyInChangeRequest: 10,
  addMemberToOrganizationTeamById: 8,
  createOrganizationInvite: 4,
  createOrganizationSAMLProvider: 10,
  createOrganizationTeam: 10,
  deleteMemberFromOrganizationTeamById: 6,
  deleteOrganizationInviteById: 5,
  deleteOrganizationSAMLProvider: 5,
  getMemberInOrganizationById: 9,
  getOrganizationInviteLink: 4,
  getOrganizationSAMLProviderById: 8,
  getOrganizationsForEmailDomain: 6,
  getTeamInOrganizationById: 8,
  getUserById: 2,
  inviteToCollection: 10,
  inviteToSpace: 10,
  inviteUsersToOrganization: 8,
  joinOrganizationWithInvite: 4,
  listMembersInOrganizationById: 10,
  listOrganizationInviteLinks: 5,
  listPermissionsAggregateInCollection: 9,
  listPermissionsAggregateInSpace: 9,
  listSAMLProvidersInOrganizationById: 9,
  listSSOProviderLoginsInOrganization: 4,
  listSpacesForOrganizationMember: 8,
  listTeamMembersInOrganizationById: 13,
  listTeamPermissionsInCollection: 12,
  listTeamPermissionsInSpace: 12,
  listTeamsForOrganizationMember: 10,
  listTeamsInOrganizationById: 8,
  listUserPermissionsInCollection: 7,
  listUserPermissionsInSpace: 7,
  removeMemberFromOrganizationById: 7,
  removeTeamFromCollection: 5,
  removeTeamFromOrganizationById: 9,
  removeTeamFromSpace: 5,
  removeUserFromCollection: 5,
  removeUserFromSpace: 5,
  setUserAsSSOMemberForOrganization: 10,
  updateMemberInOrganizationById: 10,
  updateMembersInOrganizationTeam: 8,
  updateOrganizationById: 8,
  updateOrganizationInviteById: 5,
  updateOrganizationMemberLastSeenAt: 7,
  updateOrganizationSAMLProvider: 9,
  updateTeamInOrganizationById: 9,
  updateTeamPermissionInCollection: 7,
  updateTeamPermissionInSpace: 7,
  updateUserById: 4,
  updateUserPermissionInCollection: 7,
  updateUserPermissionInSpace: 7,
  addSectionGroupToSite: 13,
  addSectionToGroup: 13,
  addSectionToSite: 20,
  addSpaceToSite: 18,
  createSite: 10,
  createSiteShareLink: 5,
  deleteSiteById: 8,
  deleteSiteSectionById: 14,
  deleteSiteSectionGroupById: 12,
  deleteSiteShareLinkById: 6,
  deleteSiteSpaceById: 14,
  getPublishedContentSite: 10,
  getSiteAdaptiveSchema: 5,
  getSiteById: 6,
  getSiteCustomizationById: 5,
  getSitePublishingAuthById: 5,
  getSiteStructure: 9,
  listSiteSectionGroups: 8,
  listSiteSections: 9,
  listSiteShareLinks: 6,
  listSiteSpaces: 9,
  listSites: 7,
  moveSiteSection: 13,
  moveSiteSectionGroup: 13,
  moveSiteSpace: 13,
  publishSite: 13,
  regenerateSitePublishingAuthById: 6,
  removeSectionFromGroup: 12,
  unpublishSite: 13,
  updateSiteAdaptiveSchema: 6,
  updateSiteById: 8,
  updateSiteCustomizationById: 7,
  updateSitePublishingAuthById: 6,
  updateSiteSectionById: 13,
  updateSiteSectionGroupById: 13,
  updateSiteShareLinkById: 6,
  updateSiteSpaceById: 13,
  createTranslation: 4,
  deleteTranslation: 5,
  getIntegrationByName: 4,
  getIntegrationInstallationById: 5,
  getTranslation: 4,
  installIntegration: 5,
  listIntegrationInstallations: 6,
  listIntegrations: 5,
  listTranslations: 5,
  publishIntegration: 7,
  uninstallIntegration: 5,
  unpublishIntegration: 4,
  updateIntegrationInstallation: 6,
  updateTranslation: 5,
  createOpenAPISpec: 7,
  createOrUpdateOpenAPISpecBySlug: 8,
  deleteOpenAPISpecBySlug: 5,
  getLatestOpenAPISpecVersion: 5,
  getLatestOpenAPISpecVersionContent: 6,
  getOpenAPISpecBySlug: 4,
  getOpenAPISpecVersionById: 5,
  getOpenAPISpecVersionContentById: 5,
  listOpenAPISpecVersions: 6,
  listOpenAPISpecs: 5,
  searchOrganizationContent: 6,
  searchSpaceContent: 6,
  listChangeRequestFileBacklinks: 8,
  listChangeRequestLinks: 8,
  listChangeRequestPageBacklinks: 8,
  listPageLinksInChangeRequest: 8,
  listPageLinksInSpace: 6,
  listSpaceFileBacklinks: 6,
  listSpaceLinks: 7,
  listSpacePageBacklinks: 6
}

/**
 * Those that go through the tree of a space, with the statements that they may take more: it is one node deeper by
 * chance. An import goes through it before it writes, and again while it does.
 */
const byChance: Record<string, number> = {
  updateSpaceContent: 2,
  updateChangeRequestContent: 2,
  updateChangeRequest: 2,
  mergeChangeRequest: 2,
  importContent: 2,
  importContentInChangeRequest: 2,
  getSpacePDF: 1,
  getChangeRequestPDF: 1
}

it("every operation asks for as little as it did", async () => {
  const store = counting(MemoryStorage.layer())
  const server = await startServer(Layer.provideMerge(store.layer, fetched))
  try {
    const user = await server.core.createUser("ada@example.com")
    const organization = await server.core.createOrganization("Acme", user)
    const elsewhere = await server.core.createOrganization("Elsewhere", user)
    const token = await server.tokenOf(user)
    await server.fetch("/v1/user", { token })
    store.take()

    const counted: Record<string, number> = {}
    const call = async <A>(operation: string, method: string, path: string, body?: unknown): Promise<A> => {
      const response = await server.fetch(path, {
        method,
        token,
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      if (!response.ok) throw new Error(`${operation}: ${await response.text()}`)
      counted[operation] ??= store.take().length
      store.take()
      const text = await response.text()
      return (text === "" ? undefined : JSON.parse(text)) as A
    }
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
    await server.core.runtime.runPromise(
      Effect.provideService(
        Effect.flatMap(BackgroundWork, ({ drain }) => drain),
        Clock.Clock,
        server.core.clock
      )
    )
    store.take()
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
    expect(second.id).toBeDefined()

    const declared: Array<string> = []
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint }) => declared.push(endpoint.identifier)
    })
    delete counted[""]
    expect(Object.keys(counted).sort(), "an operation is missing here: call it").toEqual(declared.sort())
    for (const [operation, more] of Object.entries(byChance)) {
      const least = statements[operation]!
      if (counted[operation]! > least && counted[operation]! <= least + more) counted[operation] = least
    }
    expect(counted).toEqual(statements)
  } finally {
    await server.close()
  }
})
