/** Preconditions of every operation that changes stored data, from the table of operations. */
import { ChangedResource, CreatesIfMissing } from "@lectern/client"
import { callOperations, type Operation } from "@lectern/harness/operations"
import { Context } from "effect"
import { expect, it } from "vitest"
import { respond } from "./support/conditionalCalls.ts"
import { createFaultyWorld, sceneHostOf } from "./support/faultyWorld.ts"

/** Operations that change no resource with an entity tag, with the reason. Operations with the status 201 create theirs. */
const untagged: Readonly<Record<string, string>> = {
  updateOrganizationMemberLastSeenAt: "the member is the caller, whom the path does not name",
  updateMembersInOrganizationTeam: "the members of a team are a list",
  addMemberToOrganizationTeamById: "the members of a team are a list",
  deleteMemberFromOrganizationTeamById: "the members of a team are a list",
  putFavorite: "favorites are a list",
  readNotifications: "notifications are a list",
  updateSpaceNotificationSettings: "the settings of spaces are a list",
  recordRecentPage: "recent pages are a list",
  renewInvitation: "invitations are a list",
  revokeInvitation: "invitations are a list",
  revokeAuthorizedProgram: "authorized programs are a list",
  revokeSession: "sessions are a list",
  signOut: "sessions are a list",
  signOutEverywhere: "sessions are a list",
  inviteUsersToOrganization: "the members of an organization are a list",
  joinOrganizationWithInvite: "the members of an organization are a list",
  inviteToCollection: "permissions are a list",
  updateUserPermissionInCollection: "permissions are a list",
  removeUserFromCollection: "permissions are a list",
  updateTeamPermissionInCollection: "permissions are a list",
  removeTeamFromCollection: "permissions are a list",
  inviteToSpace: "permissions are a list",
  inviteToSite: "permissions are a list",
  updateUserPermissionInSpace: "permissions are a list",
  updateUserPermissionInSite: "permissions are a list",
  removeUserFromSpace: "permissions are a list",
  removeUserFromSite: "permissions are a list",
  updateTeamPermissionInSpace: "permissions are a list",
  updateTeamPermissionInSite: "permissions are a list",
  removeTeamFromSpace: "permissions are a list",
  removeTeamFromSite: "permissions are a list",
  requestReviewersForChangeRequest: "requested reviewers are a list",
  removeRequestedReviewerFromChangeRequest: "requested reviewers are a list",
  revokeOrganizationToken: "the tokens of an organization are a list",
  restoreRevision: "it creates a revision",
  restoreArchivedPage: "it creates a revision",
  importGitRepository: "it starts an operation",
  exportToGitRepository: "it starts an operation",
  postCommentInSpace: "it creates a comment",
  postCommentReplyInSpace: "it creates a reply",
  postCommentInChangeRequest: "it creates a comment",
  postCommentReplyInChangeRequest: "it creates a reply",
  deleteSiteShareLinkById: "share links are a list",
  bulkUpsertSiteRedirects: "redirects are a list",
  updateSiteRedirectById: "redirects are a list",
  deleteSiteRedirectById: "redirects are a list",
  updateSiteShareLinkById: "share links are a list",
  updateGlossaryEntries: "the entries of a glossary are a list",
  createIntegrationInstallationToken: "it creates a token",
  queueIntegrationTask: "it creates a task",
  setIntegrationDevelopmentMode: "no GET returns the development mode",
  disableIntegrationDevelopmentMode: "no GET returns the development mode"
}

/** The path of the resource that an operation changes, with the parameters of a call. */
const resourceAddress = ({ endpoint, path }: Operation, address: string): string => {
  const changed = Context.get(endpoint.annotations, ChangedResource)
  const values = address.split("?", 1)[0]!.split("/")
  const params = new Map(path.split("/").map((segment, index) => [segment, values[index]!]))
  const pattern = changed === undefined ? path : `/v1${changed}`
  return pattern
    .split("/")
    .map((segment) => (segment.startsWith(":") ? params.get(segment)! : segment))
    .join("/")
}

it("every change of a resource with an entity tag honors If-Match and If-None-Match", async () => {
  const world = await createFaultyWorld()
  const violations: Array<string> = []
  const withoutTag: Array<string> = []
  let checkedCount = 0
  try {
    await callOperations(sceneHostOf(world), async (operation, { method, address, body }) => {
      if (!operation.isWrite) return
      const { id } = operation
      const path = resourceAddress(operation, address)
      const current = await respond(world, { method: "GET", path })
      const etag = current.headers.etag
      const createsIfMissing = Context.get(operation.endpoint.annotations, CreatesIfMissing)
      const saved = world.save()
      const send = async (headers: Record<string, string>) => {
        saved.rewind()
        return respond(world, { method, path: address, body, headers })
      }
      const expectRejected = async (headers: Record<string, string>, expected: string) => {
        const { status, reason } = await send(headers)
        if (`${status} ${reason}` !== expected) {
          violations.push(`${id} ${JSON.stringify(headers)}: ${status} ${reason}, expected ${expected}`)
        }
        if (!saved.isCurrent()) violations.push(`${id} ${JSON.stringify(headers)}: changed the store`)
      }
      if (etag === undefined && !createsIfMissing) {
        await expectRejected({ "if-match": '"any"' }, "400 InvalidFields")
        if ((await send({})).status !== 201) withoutTag.push(id)
        return
      }
      checkedCount++
      await expectRejected({ "if-match": '"stale"' }, "412 StaleVersion")
      if (etag !== undefined) {
        await expectRejected({ "if-match": `W/${etag}` }, "412 StaleVersion")
        await expectRejected({ "if-none-match": "*" }, "412 AlreadyExists")
        await expectRejected({ "if-none-match": `"other", W/${etag}` }, "412 AlreadyExists")
      }
      const conditional = await send(
        etag === undefined ? { "if-none-match": "*" } : { "if-match": `"other", ${etag}` }
      )
      if (conditional.status >= 300) violations.push(`${id}: ${conditional.status} ${conditional.text}`)
      const newTag = conditional.headers.etag
      if (newTag !== undefined) {
        const next = await respond(world, { method: "GET", path })
        if (next.headers.etag !== newTag)
          violations.push(`${id}: ${newTag} differs from the tag of the next read`)
      }
    })
  } finally {
    await world.close()
  }
  expect(violations).toEqual([])
  expect(withoutTag.sort()).toEqual(Object.keys(untagged).sort())
  // A lower bound, so that the test fails if operations are skipped.
  expect(checkedCount).toBeGreaterThan(60)
})
