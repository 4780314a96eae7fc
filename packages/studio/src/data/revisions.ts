/** The revisions of a space. */
import type { ArchivedPage, Revision, RevisionSummary } from "@lectern/client/fetch"
import { client } from "../session.ts"
import { useList } from "./lists.ts"
import { spaceKey } from "./spaces.ts"
import { type Resource, useResource } from "./useResource.ts"

/** A list with the number of items that it would have without its limit. */
export interface LimitedList<Item> {
  readonly items: ReadonlyArray<Item>
  readonly count: number
}

/** The latest revisions of a space, newest first. */
export const useRevisions = (spaceId: string, limit: number): Resource<LimitedList<RevisionSummary>> =>
  useResource(`${spaceKey(spaceId)}/content/revisions/${limit}`, (signal) =>
    client.history.listRevisions({ params: { spaceId }, query: { limit } }, { signal })
  )

/** A revision with its pages, files and reusable contents, without bodies. Revisions are immutable. */
export const useRevision = (spaceId: string, revisionId: string | undefined): Resource<Revision> =>
  useResource(
    revisionId === undefined ? undefined : `revisions/${spaceId}/${revisionId}`,
    (signal) =>
      client.revisions.getRevisionById(
        { params: { spaceId, revisionId: revisionId! }, query: { computed: false, metadata: false } },
        { signal }
      ),
    { staleAfterMs: Number.POSITIVE_INFINITY }
  )

/** The pages that were deleted from a space, latest first. */
export const useArchivedPages = (spaceId: string): Resource<ReadonlyArray<ArchivedPage>> =>
  useList(`${spaceKey(spaceId)}/content/archived`, (query, signal) =>
    client.history.listArchivedPages({ params: { spaceId }, query }, { signal })
  )
