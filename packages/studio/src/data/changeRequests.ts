/** Change requests of a space. */
import type { ChangeRequest, SemanticChanges } from "@lectern/client/fetch"
import { client } from "../session.ts"
import { loadAll, pageSize } from "./organization.ts"
import { spaceKey } from "./spaces.ts"
import { type Resource, useResource } from "./useResource.ts"

/** The key of everything in a change request. */
export const changeKey = (spaceId: string, number: string): string => `${spaceKey(spaceId)}/changes/${number}`

/** A change request, by its number. */
export const useChangeRequest = (spaceId: string, number: string | undefined): Resource<ChangeRequest> =>
  useResource(number === undefined ? undefined : `${changeKey(spaceId, number)}/request`, (signal) =>
    client.changeRequests.getChangeRequestById({ params: { spaceId, changeRequestId: number! } }, { signal })
  )

/** The change requests of a space with a status, newest first. */
export const useChangeRequests = (
  spaceId: string,
  status: ChangeRequest["status"]
): Resource<ReadonlyArray<ChangeRequest>> =>
  useResource(`${spaceKey(spaceId)}/changes/list/${status}`, (signal) =>
    loadAll((cursor) =>
      client.changeRequests.listChangeRequestsForSpace(
        { params: { spaceId }, query: { status, limit: pageSize, ...cursor } },
        { signal }
      )
    )
  )

/** The maximum number of changes of a change request that are displayed. */
export const maximumChanges = 1_000

/** The changes of a change request, with the revisions that they are between. */
export interface RequestChanges extends SemanticChanges {
  readonly before: string
  readonly after: string
}

/**
 * The changes that a change request makes to the space. The revisions are loaded with them: the ones of the displayed change request can be
 * older or newer, and lack a page.
 */
export const useChanges = (spaceId: string, number: string): Resource<RequestChanges> =>
  useResource(`${changeKey(spaceId, number)}/changes`, async (signal) => {
    const params = { spaceId, changeRequestId: number }
    const [changes, request] = await Promise.all([
      client.changeRequests.getChangeRequestChanges({ params, query: { limit: maximumChanges } }, { signal }),
      client.changeRequests.getChangeRequestById({ params }, { signal })
    ])
    const { revision, revisionInitial, revisionMergedAncestor } = request
    return { ...changes, before: revisionMergedAncestor ?? revisionInitial, after: revision }
  })

/** The maximum number of own change requests that are offered for a new edit. */
const maximumOffered = 20

/** Returns the change requests of a user that can be continued: drafts, then change requests in review, newest first. */
export const listOwnChangeRequests = async (
  spaceId: string,
  userId: string
): Promise<ReadonlyArray<ChangeRequest>> => {
  const pages = await Promise.all(
    (["draft", "open"] as const).map((status) =>
      client.changeRequests.listChangeRequestsForSpace({
        params: { spaceId },
        query: { status, creator: userId, limit: maximumOffered }
      })
    )
  )
  return pages.flatMap(({ items }) => items)
}

/** Creates a change request. Rejects with `ApiError`. */
export const createChangeRequest = (spaceId: string): Promise<ChangeRequest> =>
  client.changeRequests.createChangeRequest({ params: { spaceId }, payload: {} })
