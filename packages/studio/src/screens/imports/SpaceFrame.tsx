/** The frame of the screens of a space that are not pages. */
import type { Space } from "@lectern/client/fetch"
import type { ReactNode } from "react"
import { ScreenFrame } from "../../components/Screen.tsx"
import { Loaded, NotPermitted } from "../../components/states.tsx"
import { useSpace } from "../../data/spaces.ts"
import { Link } from "../../router/Link.tsx"

/** Properties of {@link SpaceFrame}. */
export interface SpaceFrameProps {
  readonly spaceId: string
  readonly title: string
  /** The screen above this one, below the space. */
  readonly parent?: { readonly to: string; readonly title: string }
  /** Whether the person may use the screen; a screen that they may not use explains it. */
  readonly isPermitted: (space: Space) => boolean
  readonly children: (space: Space) => ReactNode
}

/** The frame of a screen of a space. */
export const SpaceFrame = ({ spaceId, title, parent, isPermitted, children }: SpaceFrameProps) => {
  const space = useSpace(spaceId)
  return (
    <ScreenFrame
      title={title}
      width="text"
      above={
        space.data === undefined ? undefined : (
          <nav className="breadcrumbs">
            <Link to={`/spaces/${spaceId}`}>{space.data.title}</Link>
            {parent === undefined ? null : (
              <>
                <span aria-hidden>/</span>
                <Link to={parent.to}>{parent.title}</Link>
              </>
            )}
          </nav>
        )
      }
    >
      <Loaded resource={space}>{(known) => (isPermitted(known) ? children(known) : <NotPermitted />)}</Loaded>
    </ScreenFrame>
  )
}
