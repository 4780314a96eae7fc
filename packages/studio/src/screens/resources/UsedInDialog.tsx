/** The dialog with the pages that use a page, a file or a reusable content. */
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { Loaded, Skeleton } from "../../components/states.tsx"
import { type Place, placeKey } from "../../data/content.ts"
import { type Resource, useResource } from "../../data/useResource.ts"
import { Link } from "../../router/Link.tsx"
import { useStrings } from "../../strings/strings.ts"
import { resourcesStrings } from "./strings.ts"
import type { Use } from "./uses.ts"

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

/** Something that pages use. */
export interface Used {
  readonly place: Place
  /** The key of the list of its uses in the cache. */
  readonly key: string
  readonly title: string
  readonly load: (signal: AbortSignal) => Promise<ReadonlyArray<Use>>
}

const LoadedUses = ({ used, onClose }: { readonly used: Used; readonly onClose: () => void }) => {
  const { place, key, title, load } = used
  return (
    <UsesDialog title={title} uses={useResource(`${placeKey(place)}/uses/${key}`, load)} onClose={onClose} />
  )
}

/** Displays the pages that use something. */
export const openUses = (used: Used): void =>
  openDialog((onClose) => <LoadedUses used={used} onClose={onClose} />)
