/** The files of a place. */
import { ApiError, type ContentReferenceUsage, type File as SpaceFile } from "@lectern/client/fetch"
import { client } from "../session.ts"
import { type Place, placeKey } from "./content.ts"
import { useList } from "./lists.ts"
import { loadAll, pageSize } from "./organization.ts"
import { type Resource, useResource } from "./useResource.ts"

/** The files of a place, newest first. Without a place, nothing is loaded. */
export const useFiles = (place: Place | undefined): Resource<ReadonlyArray<SpaceFile>> =>
  useResource<ReadonlyArray<SpaceFile>>(
    place === undefined ? undefined : `${placeKey(place)}/files`,
    (signal) => {
      const { spaceId, change } = place!
      return loadAll((cursor) => {
        const query = { limit: pageSize, ...cursor }
        return change === undefined
          ? client.content.listFiles({ params: { spaceId }, query }, { signal })
          : client.changeRequestContent.listFilesInChangeRequestById(
              { params: { spaceId, changeRequestId: change }, query },
              { signal }
            )
      })
    },
    { staleAfterMs: 60_000 }
  )

/** Loads the URL of a file of a place; `undefined` if the place does not have it. */
export const loadFileUrl = async (
  { spaceId, change }: Place,
  fileId: string
): Promise<string | undefined> => {
  try {
    const { downloadURL } = await (change === undefined
      ? client.content.getFileById({ params: { spaceId, fileId } })
      : client.changeRequestContent.getFileInChangeRequestById({
          params: { spaceId, changeRequestId: change, fileId }
        }))
    return downloadURL
  } catch (error) {
    if (error instanceof ApiError && error._tag === "NotFound") return undefined
    throw error
  }
}

/** The links of all pages of a place by their target. */
export const useLinks = (
  place: Place,
  status?: ContentReferenceUsage["status"]
): Resource<ReadonlyArray<ContentReferenceUsage>> =>
  useList(`${placeKey(place)}/links/${status ?? ""}`, (range, signal) => {
    const { spaceId, change } = place
    const query = { ...range, ...(status === undefined ? {} : { status }) }
    return change === undefined
      ? client.links.listSpaceLinks({ params: { spaceId }, query }, { signal })
      : client.links.listChangeRequestLinks(
          { params: { spaceId, changeRequestId: change }, query },
          { signal }
        )
  })

/** The number of links that a change request breaks. */
export const useBrokenLinks = ({ spaceId, change }: Place & { readonly change: string }): Resource<number> =>
  useResource(`${placeKey({ spaceId, change })}/links/count`, async (signal) => {
    const request = { params: { spaceId, changeRequestId: change }, query: { limit: 1 } }
    const { stats } = await client.links.listChangeRequestLinks(request, { signal })
    return stats.broken.changeRequest ?? 0
  })

/** Adds files to a place. `onProgress` receives the part that was sent, from 0 to 1. */
export const uploadFile = async (
  { spaceId, change }: Place,
  file: File,
  onProgress: (fraction: number) => void,
  signal: AbortSignal
): Promise<SpaceFile | undefined> => {
  const payload = new FormData()
  payload.append("file", file, file.name)
  const options = {
    signal,
    onUploadProgress: ({
      sentBytes,
      totalBytes
    }: {
      readonly sentBytes: number
      readonly totalBytes: number
    }) => onProgress(totalBytes === 0 ? 1 : sentBytes / totalBytes)
  }
  const edited =
    change === undefined
      ? await client.content.updateSpaceContent({ params: { spaceId }, payload }, options)
      : await client.changeRequestContent.updateChangeRequestContent(
          { params: { spaceId, changeRequestId: change }, query: { compat: false }, payload },
          options
        )
  return "insertedFiles" in edited ? edited.insertedFiles?.[0] : undefined
}
