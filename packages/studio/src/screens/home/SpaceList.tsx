/** A list of spaces. */
import type { Space } from "@lectern/client/fetch"
import { ActionMenu } from "../../components/ActionMenu.tsx"
import { Emoji } from "../../components/Emoji.tsx"
import { Time } from "../../components/Time.tsx"
import { usePlaces } from "../../data/places.ts"
import { BookOpen } from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { shellStrings } from "../../strings/shell.ts"
import { useStrings } from "../../strings/strings.ts"
import { spaceActions } from "./placeTree.tsx"
import { homeStrings } from "./strings.ts"

/** A list of spaces, last changed first. */
export const SpaceList = ({ spaces }: { readonly spaces: ReadonlyArray<Space> }) => {
  const t = useStrings(homeStrings)
  const shell = useStrings(shellStrings)
  const favorites = usePlaces("favorite").data ?? []
  const sorted = spaces.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt))
  return (
    <ul className="list">
      {sorted.map((space) => {
        const title = space.title === "" ? t("untitled") : space.title
        return (
          <li key={space.id}>
            <span className="list-icon">
              <Emoji emoji={space.emoji} fallback={<BookOpen size={18} aria-hidden />} />
            </span>
            <div className="list-text">
              <Link className="list-link" to={`/spaces/${space.id}`}>
                {title}
              </Link>
              <p className="list-detail">
                <Time value={space.updatedAt} />
                {space.changeRequestsOpen > 0 ? (
                  <span>{t("openChangeRequests", { count: space.changeRequestsOpen })}</span>
                ) : null}
              </p>
            </div>
            {space.urls.published === undefined ? null : (
              <span className="tag tag-success">{t("published")}</span>
            )}
            {space.editMode === "locked" ? <span className="tag">{t("locked")}</span> : null}
            <span className="list-actions">
              <ActionMenu
                label={shell("moreActionsFor", { title })}
                actions={spaceActions(space, t, favorites)}
              />
            </span>
          </li>
        )
      })}
    </ul>
  )
}
