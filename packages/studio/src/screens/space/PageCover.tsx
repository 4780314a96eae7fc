/** The cover of a page. */
import type { Page } from "@lectern/client/fetch"
import type { Place } from "../../data/content.ts"
import { useFiles } from "../../data/files.ts"

/** The cover of a page, if it has one that is a file of the space. Images of other servers are not loaded. */
export const PageCover = ({ place, page }: { readonly place: Place; readonly page: Page | undefined }) => {
  const cover = page?.type === "document" && page.layout.cover ? page.cover : undefined
  const reference = cover?.ref?.kind === "file" ? cover.ref.file : undefined
  const files = useFiles(reference === undefined ? undefined : place)
  const file = files.data?.find(({ id }) => id === reference)
  if (cover === undefined || file === undefined) return null
  // From -1 for the top of the image to 1 for its bottom.
  const position = `50% ${Math.round((Math.max(-1, Math.min(1, cover.yPos)) + 1) * 50)}%`
  return <img className="page-cover" src={file.downloadURL} alt="" style={{ objectPosition: position }} />
}
