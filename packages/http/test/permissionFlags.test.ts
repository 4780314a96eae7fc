/** The `permissions` of resources state what the caller can do: an operation of each flag, for every source of a role. */
import { isFastRun } from "@lectern/harness"
import { addressOf, type Operation, operations, paramsIn } from "@lectern/harness/operations"
import { afterAll, describe, expect, it } from "vitest"
import { isInScopes } from "./support/authorization/expectedStatus.ts"
import { closeScenes, placeCaller } from "./support/authorization/placeCaller.ts"
import { placements } from "./support/authorization/placements.ts"

/** The operation that a flag permits; undefined for a flag without an operation of its own. */
type Flags = Readonly<Record<string, string | undefined>>

/** The operation that creates a space, in the collection of the scene. */
const createInCollection = "createSpace in the collection"

/** The operations that return resources with permissions, and the operation of each of their flags. */
const resources: Readonly<Record<string, Flags>> = {
  getOrganizationById: {
    view: "getOrganizationById",
    access: "getOrganizationById",
    admin: "updateOrganizationById",
    createContent: "createSpace",
    createOpenAPISpec: "createOrUpdateOpenAPISpecBySlug",
    listMembers: "listMembersInOrganizationById",
    listTeams: "listTeamsInOrganizationById",
    listIntegrations: "listOrganizationIntegrations",
    listInstallations: "listOrganizationInstallations",
    installIntegration: "installIntegration",
    // It states a relation to teams, whose flag `admin` states what it permits.
    ownTeam: undefined,
    // No operation of Lectern has these subjects.
    ingestConversations: undefined,
    viewBilling: undefined
  },
  getTeamInOrganizationById: {
    view: "getTeamInOrganizationById",
    admin: "updateTeamInOrganizationById"
  },
  getSpaceById: {
    view: "getSpaceById",
    access: "getCurrentRevision",
    admin: "exportToGitRepository",
    rename: "updateSpaceById",
    viewInviteLinks: "inviteToSpace",
    edit: "updateSpaceContent",
    triggerGitSync: "importGitRepository",
    comment: "postCommentInSpace",
    merge: "mergeChangeRequest",
    review: "submitChangeRequestReview",
    installIntegration: "installIntegrationOnSpace"
  },
  getCollectionById: {
    view: "getCollectionById",
    admin: "inviteToCollection",
    viewInviteLinks: "inviteToCollection",
    create: createInCollection
  },
  getSiteById: {
    view: "getSiteById",
    access: "getSiteStructure",
    edit: "updateSiteById",
    create: "publishSite",
    admin: "updateSitePublishingAuthById",
    installIntegration: "installIntegrationOnSite",
    viewAdaptiveSchema: "getSiteAdaptiveSchema",
    editAdaptiveSchema: "updateSiteAdaptiveSchema"
  }
}

const operationOf = (id: string): Operation => {
  if (id === createInCollection) {
    const body: Operation["body"] = ({ ids }) => ({ title: "Inside", parent: ids.collectionId })
    return { ...operationOf("createSpace"), body }
  }
  const found = operations.find((operation) => operation.id === id)
  if (found === undefined) throw new Error(`There is no operation ${id}.`)
  return found
}

afterAll(closeScenes)

describe("the permissions of resources", () => {
  for (const placement of placements) {
    // A token has a part of the rights of its user, whose permissions the resource states.
    if (placement.installation !== undefined) continue
    // The callers who differ in their role, and one of each other source.
    const { callsEveryOperation, grant, siteGrant } = placement
    const isOfSource =
      grant === undefined && siteGrant === undefined
        ? placement.level !== "inherit"
        : placement.name.includes("admin")
    if (isFastRun && callsEveryOperation !== true && !isOfSource) continue
    it(`agree with the operations, for ${placement.name}`, async () => {
      const placed = await placeCaller(placement)
      const send = async (operation: Operation) => {
        if (isInScopes(operation, placed.caller)) await operation.prepare?.(placed.scene, placed.callAsOwner)
        const body = operation.body?.(placed.scene)
        const response = await placed.fetch(
          operation.method,
          addressOf(operation, paramsIn(operation, placed.scene)),
          body === undefined ? undefined : JSON.stringify(body)
        )
        return { status: response.status, text: await response.text() }
      }
      for (const [resource, flags] of Object.entries(resources)) {
        const { status, text } = await send(operationOf(resource))
        if (status !== 200) continue
        const { permissions } = JSON.parse(text) as { permissions: Readonly<Record<string, boolean>> }
        const called: Record<string, boolean> = {}
        for (const [flag, id] of Object.entries(flags)) {
          if (id === undefined) called[flag] = permissions[flag]!
          else {
            const result = await send(operationOf(id))
            placed.rewind()
            expect([id, result.status], result.text).not.toEqual([
              id,
              expect.toSatisfy((code) => code >= 500)
            ])
            called[flag] = result.status < 300
          }
        }
        expect([resource, permissions]).toEqual([resource, called])
      }
    })
  }
})
