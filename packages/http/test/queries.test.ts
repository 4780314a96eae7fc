import { Api } from "@lectern/client"
import { BackgroundWork, SigningSecret } from "@lectern/core"
import { makeCountingStorage } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Clock, Effect, Layer, Redacted } from "effect"
import { HttpApi } from "effect/http-api"
import { expect, it } from "vitest"
import { callEveryOperation } from "./support/everyOperation.ts"
import { fakeFetcher } from "./support/fakeFetcher.ts"
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
  duplicateSpace: 10,
  deleteSpaceById: 6,
  restoreSpace: 5,
  transferSpace: 11,
  getCollectionById: 4,
  listCollectionsInOrganizationById: 5,
  listSpacesInCollectionById: 6,
  createCollection: 6,
  updateCollectionById: 5,
  moveCollection: 14,
  transferCollection: 18,
  deleteCollectionById: 12,
  getCurrentRevision: 5,
  updateSpaceContent: 13,
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
  updateTeamPermissionInCollection: 6,
  updateTeamPermissionInSpace: 6,
  updateUserById: 4,
  updateUserPermissionInCollection: 6,
  updateUserPermissionInSpace: 6,
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
  const store = makeCountingStorage(MemoryStorage.layer())
  // The secret of a workspace is read once in the life of a process, by whichever operation is first.
  const signing = Layer.succeed(SigningSecret, Redacted.make("a secret for tests"))
  const server = await startServer(Layer.provideMerge(store.layer, Layer.merge(fakeFetcher, signing)))
  try {
    const user = await server.core.createUser("ada@example.com")
    const organization = await server.core.createOrganization("Acme", user)
    const elsewhere = await server.core.createOrganization("Elsewhere", user)
    const token = await server.tokenOf(user)
    await server.fetch("/v1/user", { token })
    store.takeVerbs()

    const counted: Record<string, number> = {}
    const call = async <A>(operation: string, method: string, path: string, body?: unknown): Promise<A> => {
      const response = await server.fetch(path, {
        method,
        token,
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      if (!response.ok) throw new Error(`${operation}: ${await response.text()}`)
      counted[operation] ??= store.takeVerbs().length
      store.takeVerbs()
      const text = await response.text()
      return (text === "" ? undefined : JSON.parse(text)) as A
    }
    const work = async () => {
      await server.core.runtime.runPromise(
        Effect.provideService(
          Effect.flatMap(BackgroundWork, ({ drain }) => drain),
          Clock.Clock,
          server.core.clock
        )
      )
      store.takeVerbs()
    }
    await callEveryOperation({ call, user, organization, elsewhere, work })

    const declared: Array<string> = []
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint }) => declared.push(endpoint.identifier)
    })
    delete counted[""]
    expect(
      Object.keys(counted).sort(),
      "an operation is missing: call it in support/everyOperation.ts"
    ).toEqual(declared.sort())
    for (const [operation, more] of Object.entries(byChance)) {
      const least = statements[operation]!
      if (counted[operation]! > least && counted[operation]! <= least + more) counted[operation] = least
    }
    expect(counted).toEqual(statements)
  } finally {
    await server.close()
  }
})
