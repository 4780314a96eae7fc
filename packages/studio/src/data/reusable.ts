/** The reusable contents of a place. */
import type { JSONDocumentEncoded, ReusableContent } from "@lectern/client/fetch"
import { client } from "../session.ts"
import { loadRevisionId, type Place, placeKey } from "./content.ts"
import { type Resource, useResource } from "./useResource.ts"

/** The reusable contents of a place, by title. */
export const useReusableContents = (place: Place): Resource<ReadonlyArray<ReusableContent>> =>
  useResource<ReadonlyArray<ReusableContent>>(`${placeKey(place)}/reusable`, async (signal) => {
    const { spaceId, change } = place
    const query = { computed: false, metadata: false }
    const { reusableContents } =
      change === undefined
        ? await client.content.getCurrentRevision({ params: { spaceId }, query }, { signal })
        : await client.changeRequestContent.getRevisionOfChangeRequestById(
            { params: { spaceId, changeRequestId: change }, query },
            { signal }
          )
    return reusableContents.toSorted((one, other) => one.title.localeCompare(other.title))
  })

/** Loads a reusable content of a place. */
export const loadReusable = (
  { spaceId, change }: Place,
  reusableContentId: string,
  signal?: AbortSignal
): Promise<ReusableContent> => {
  const options = signal === undefined ? {} : { signal }
  return change === undefined
    ? client.content.getReusableContentById({ params: { spaceId, reusableContentId } }, options)
    : client.changeRequestContent.getReusableContentInChangeRequestById(
        { params: { spaceId, changeRequestId: change, reusableContentId } },
        options
      )
}

/** Loads the document of a reusable content in the current revision of a place. */
export const loadReusableDocument = async (
  place: Place,
  reusableContentId: string,
  signal?: AbortSignal
): Promise<JSONDocumentEncoded> => {
  const { spaceId } = place
  const options = signal === undefined ? {} : { signal }
  const revisionId = await loadRevisionId(place, signal)
  return client.revisions.getReusableContentDocumentInRevisionById(
    { params: { spaceId, revisionId, reusableContentId } },
    options
  )
}
