/** Resolves the links and images of the documents of a place. */
import { type ReactNode, useMemo } from "react"
import { flattenPages, type Place, placePath, usePages } from "../../data/content.ts"
import { useFiles } from "../../data/files.ts"
import { DocumentContext, type DocumentPlace } from "../../document/DocumentContext.ts"

/** Resolves the references of the documents inside of it. */
export const PageDocumentProvider = ({
  place,
  organizationId,
  children
}: {
  readonly place: Place
  /** The organization whose APIs are displayed. Without it, blocks of APIs are references. */
  readonly organizationId?: string | undefined
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
      fileOf: (id) => filesById.get(id),
      organizationId
    }
  }, [pages, files, spaceId, change, organizationId])
  return <DocumentContext value={context}>{children}</DocumentContext>
}
