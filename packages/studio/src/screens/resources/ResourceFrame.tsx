/** The frame of the screens of files, links and reusable contents: of a space, or of a change request of it. */
import type { Space } from "@lectern/client/fetch"
import type { ReactNode } from "react"
import { ScreenFrame } from "../../components/Screen.tsx"
import { FailedState, Skeleton } from "../../components/states.tsx"
import { type Place, placePath } from "../../data/content.ts"
import { isDirect } from "../../edits/editing.ts"
import { Link } from "../../router/Link.tsx"
import { useStrings } from "../../strings/strings.ts"
import { usePlace } from "../space/usePlace.ts"
import { resourcesStrings } from "./strings.ts"
import "./resources.css"

/** The parameters of the paths of resources. */
export interface ResourceParams {
  readonly space: string
  /** The number of the change request. */
  readonly number?: string
}

/** The place of resources, and the permission of the person. */
export interface ResourcePlace {
  readonly place: Place
  readonly space: Space
  /** Whether the person can edit, in the place or in a change request that begins with the edit. */
  readonly canEdit: boolean
}

/** Properties of {@link ResourceFrame}. */
export interface ResourceFrameProps {
  readonly params: ResourceParams
  readonly title: string
  readonly actions?: (known: ResourcePlace) => ReactNode
  readonly children: (known: ResourcePlace) => ReactNode
}

/** The frame of a screen of resources. */
export const ResourceFrame = ({ params, title, actions, children }: ResourceFrameProps) => {
  const t = useStrings(resourcesStrings)
  const { place, space, changeRequest, canEdit } = usePlace(params.space, params.number)
  const failed = [space, changeRequest].find(({ error, data }) => error !== undefined && data === undefined)
  if (failed?.error !== undefined) return <FailedState error={failed.error} onRetry={failed.reload} />
  const isLoaded = place.change === undefined || changeRequest.data !== undefined
  if (space.data === undefined || !isLoaded) return <Skeleton rows={6} />
  const known = {
    place,
    space: space.data,
    // Without a change request, an edit of a locked space begins one.
    canEdit: place.change === undefined ? space.data.permissions.edit : canEdit
  }
  return (
    <ScreenFrame
      title={title}
      width="text"
      above={
        <nav className="breadcrumbs">
          <Link to={placePath({ spaceId: space.data.id })}>{space.data.title}</Link>
          {place.change === undefined ? null : (
            <>
              <span aria-hidden>/</span>
              <Link to={placePath(place)}>{t("editingIn", { number: place.change })}</Link>
            </>
          )}
        </nav>
      }
      actions={actions?.(known)}
    >
      {known.canEdit && !isDirect(space.data, place) ? (
        <p className="muted small">{t("lockedHint")}</p>
      ) : null}
      {children(known)}
    </ScreenFrame>
  )
}

/** Returns the path of a screen of resources. */
export const resourcePath = ({ spaceId, change }: Place, name: string): string =>
  change === undefined ? `/spaces/${spaceId}/${name}` : `/spaces/${spaceId}/changes/${change}/${name}`
