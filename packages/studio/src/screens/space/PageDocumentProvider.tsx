/** Resolves the links and images of the documents of a place. */
import type { File } from "@lectern/client/fetch"
import { type ReactNode, useMemo } from "react"
import { flattenPages, type Place, placeKey, placePath, usePages } from "../../data/content.ts"
import { loadAll, pageSize } from "../../data/organization.ts"
import { useResource } from "../../data/useResource.ts"
import { DocumentContext, type DocumentPlace } from "../../document/DocumentContext.ts"
import { client } from "../../session.ts"

/** Loads the files of a place, which its documents refer to. */
const useFiles = (place: Place) =>
  useResource<ReadonlyArray<File>>(
    `${placeKey(place)}/files`,
    (signal) => {
      const { spaceId, change } = place
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

/** Resolves the references of the documents inside of it. */
export const PageDocumentProvider = ({
  place,
  children
}: {
  readonly place: Place
  readonly children: ReactNode
}) => {
  const { data: pages } = usePages(place)
  const { data: files } = useFiles(place)
  const { spaceId, change } = place
  const context = useMemo<DocumentPlace>(() => {
    const pagesById = new Map(flattenPages(pages ?? []).map((page) => [page.id, page]))
    const filesById = new Map((files ?? []).map((file) => [file.id, file]))
    return {
      pageOf: (id) => {
        const page = pagesById.get(id)
        return page === undefined ? undefined : { page, to: placePath({ spaceId, change }, page) }
      },
      fileOf: (id) => filesById.get(id)
    }
  }, [pages, files, spaceId, change])
  return <DocumentContext value={context}>{children}</DocumentContext>
}
