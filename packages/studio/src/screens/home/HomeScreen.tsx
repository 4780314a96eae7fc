/** The start page: where the person was, change requests, and the spaces. */
import type { Place } from "@lectern/client/fetch"
import { useEffect } from "react"
import { Button } from "../../components/Button.tsx"
import { HelpLink } from "../../components/HelpLink.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { useOrganization } from "../../data/organization.ts"
import { pathOfPlace, titleOfPlace, usePlaces } from "../../data/places.ts"
import { BookOpen, Plus } from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { sessionStore } from "../../session.ts"
import { useStore } from "../../store/store.ts"
import { placesStrings } from "../../strings/places.ts"
import { useStrings } from "../../strings/strings.ts"
import { OpenChangeRequests, OwnDrafts } from "./ChangeRequests.tsx"
import { openCreateSpace } from "./dialogs.tsx"
import { SpaceList } from "./SpaceList.tsx"
import { useSpaces } from "./spaces.ts"
import { homeStrings } from "./strings.ts"
import { recordVisits } from "./visits.ts"

const maximumRecent = 6

/** The favorites, or the pages that were opened last. Empty without any. */
const Places = ({ kind }: { readonly kind: Place["kind"] }) => {
  const t = useStrings(homeStrings)
  const names = useStrings(placesStrings)
  const places = usePlaces(kind).data ?? []
  const displayed = kind === "recent" ? places.slice(0, maximumRecent) : places
  if (displayed.length === 0) return null
  return (
    <section className="section">
      <div className="section-header">
        <h2>{kind === "recent" ? t("recent") : names("favorites")}</h2>
      </div>
      <ul className="tiles">
        {displayed.map((place) => (
          <li key={pathOfPlace(place)}>
            <Link to={pathOfPlace(place)} className="tile">
              <strong>{titleOfPlace(place)}</strong>
              {place.page === undefined ? null : <span>{place.spaceTitle}</span>}
              {kind === "recent" ? (
                <span>
                  <Time value={place.at} />
                </span>
              ) : null}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The start page. */
const HomeScreen = () => {
  const t = useStrings(homeStrings)
  const { data: organization } = useOrganization()
  const session = useStore(sessionStore)
  const spaces = useSpaces()
  const organizationId = organization?.id
  useEffect(() => {
    if (organizationId === undefined) return
    const controller = new AbortController()
    recordVisits(organizationId, controller.signal)
    return () => controller.abort()
  }, [organizationId])
  const name = session.state === "signed-in" ? session.user.displayName : ""
  const canCreate = organization?.permissions.createContent === true
  const createSpace =
    organization === undefined || !canCreate ? null : (
      <Button variant="primary" icon={<Plus size={16} />} onPress={() => openCreateSpace(organization)}>
        {t("newSpace")}
      </Button>
    )
  return (
    // Without spaces, the action is below its explanation.
    <ScreenFrame title={t("welcome", { name })} actions={spaces.data?.length === 0 ? undefined : createSpace}>
      <Places kind="favorite" />
      <Places kind="recent" />
      <Loaded resource={spaces}>
        {(known) =>
          known.length === 0 ? (
            <EmptyState
              icon={<BookOpen />}
              title={t("noSpaces")}
              actions={
                <>
                  {createSpace}
                  <HelpLink section="spaces" />
                </>
              }
            >
              {t("noSpacesBody")}
            </EmptyState>
          ) : (
            <>
              {organization === undefined ? null : (
                <>
                  <OwnDrafts organization={organization} spaces={known} />
                  <OpenChangeRequests organization={organization} spaces={known} />
                </>
              )}
              <section className="section">
                <div className="section-header">
                  <h2>{t("allSpaces")}</h2>
                </div>
                <SpaceList spaces={known} />
              </section>
            </>
          )
        }
      </Loaded>
    </ScreenFrame>
  )
}

export default HomeScreen
