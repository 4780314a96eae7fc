/** The pages that use a file or a reusable content. */
import type { ContentLocation, File } from "@lectern/client/fetch"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { Loaded, Skeleton } from "../../components/states.tsx"
import { type Place, placeKey, placePath } from "../../data/content.ts"
import { useLinks } from "../../data/files.ts"
import { loadAll, pageSize } from "../../data/organization.ts"
import { type Resource, useResource } from "../../data/useResource.ts"
import { Link } from "../../router/Link.tsx"
import { client } from "../../session.ts"
import { useStrings } from "../../strings/strings.ts"
import { resourcesStrings } from "./strings.ts"

/** A page that uses something. */
export interface Use {
  readonly page: string
  readonly title: string
  readonly path: string
}

/** Returns the pages of places, each once. */
export const usesOf = (place: Place, locations: ReadonlyArray<ContentLocation>): ReadonlyArray<Use> => {
  const uses = new Map<string, Use>()
  for (const location of locations) {
    if (location.kind !== "page" || uses.has(location.page.id)) continue
    const { page, space } = location
    const path = space.id === place.spaceId ? placePath(place, page) : placePath({ spaceId: space.id }, page)
    uses.set(page.id, { page: page.id, title: page.title, path })
  }
  return [...uses.values()]
}

/** Loads the pages that use a file. */
export const loadFileUses = async (
  place: Place,
  file: File,
  signal?: AbortSignal
): Promise<ReadonlyArray<Use>> => {
  const { spaceId, change } = place
  const options = signal === undefined ? {} : { signal }
  const locations = await loadAll<ContentLocation>((cursor) => {
    const query = { limit: pageSize, ...cursor }
    return change === undefined
      ? client.links.listSpaceFileBacklinks({ params: { spaceId, fileId: file.id }, query }, options)
      : client.links.listChangeRequestFileBacklinks(
          { params: { spaceId, changeRequestId: change, fileId: file.id }, query },
          options
        )
  })
  return usesOf(place, locations)
}

/** The pages that use a reusable content. */
export const useReusableUses = (place: Place, id: string): Resource<ReadonlyArray<Use>> => {
  const links = useLinks(place)
  const usage = links.data?.find(
    ({ targetReference }) =>
      targetReference.kind === "reusable-content" && targetReference.reusableContent.id === id
  )
  return {
    ...links,
    data: links.data === undefined ? undefined : usesOf(place, usage?.locationReferences ?? [])
  }
}

interface UsesProps {
  readonly title: string
  readonly uses: Resource<ReadonlyArray<Use>>
  readonly onClose: () => void
}

const UsesDialog = ({ title, uses, onClose }: UsesProps) => {
  const t = useStrings(resourcesStrings)
  return (
    <Dialog title={t("usedInTitle", { title })} onClose={onClose}>
      <div className="dialog-body">
        <Loaded resource={uses} skeleton={<Skeleton rows={3} />}>
          {(items) =>
            items.length === 0 ? (
              <p className="muted">{t("unused")}</p>
            ) : (
              <ul className="plain-list">
                {items.map(({ page, title: name, path }) => (
                  <li key={page}>
                    <Link to={path} onClick={onClose}>
                      {name}
                    </Link>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
      <footer className="dialog-footer">
        <Button onPress={onClose}>{t("dismiss")}</Button>
      </footer>
    </Dialog>
  )
}

interface FileProps {
  readonly place: Place
  readonly file: File
  readonly onClose: () => void
}

const FileUses = ({ place, file, onClose }: FileProps) => {
  const uses = useResource(`${placeKey(place)}/uses/${file.id}`, (signal) =>
    loadFileUses(place, file, signal)
  )
  return <UsesDialog title={file.name} uses={uses} onClose={onClose} />
}

/** Displays the pages that use a file. */
export const openFileUses = (place: Place, file: File): void =>
  openDialog((onClose) => <FileUses place={place} file={file} onClose={onClose} />)

const ReusableUses = ({
  place,
  id,
  title,
  onClose
}: {
  readonly place: Place
  readonly id: string
  readonly title: string
  readonly onClose: () => void
}) => <UsesDialog title={title} uses={useReusableUses(place, id)} onClose={onClose} />

/** Displays the pages that use a reusable content. */
export const openReusableUses = (place: Place, id: string, title: string): void =>
  openDialog((onClose) => <ReusableUses place={place} id={id} title={title} onClose={onClose} />)
