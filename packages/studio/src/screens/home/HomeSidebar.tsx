/** The left column of the start page: places, and the tree of collections and spaces. */

import { useActions } from "../../actions/actions.ts"
import { IconButton } from "../../components/Button.tsx"
import { PlaceTree } from "../../components/PlaceTree.tsx"
import { Loaded } from "../../components/states.tsx"
import type { TreePlace } from "../../components/TreeNode.ts"
import { useOrganization } from "../../data/organization.ts"
import { usePlaces } from "../../data/places.ts"
import { FolderPlus, Home, Plus, Search, Trash2 } from "../../icons/icons.gen.ts"
import { OrganizationLinks } from "../../navigation/OrganizationLinks.tsx"
import { Link } from "../../router/Link.tsx"
import { shellStrings } from "../../strings/shell.ts"
import { useStrings } from "../../strings/strings.ts"
import { openCreateCollection, openCreateSpace } from "./dialogs.tsx"
import { movePlace } from "./movePlace.ts"
import { placeNodes } from "./placeTree.tsx"
import { useCollections, useSpaces } from "./spaces.ts"
import { homeStrings } from "./strings.ts"

const Tree = ({ current }: { readonly current: string | undefined }) => {
  const t = useStrings(homeStrings)
  const { data: organization } = useOrganization()
  const spaces = useSpaces()
  const favorites = usePlaces("favorite").data ?? []
  const collections = useCollections()
  const onMove = (id: string, place: TreePlace) =>
    void movePlace({ collections: collections.data ?? [], spaces: spaces.data ?? [] }, id, place)
  return (
    <Loaded resource={collections}>
      {(knownCollections) => (
        <Loaded resource={spaces}>
          {(knownSpaces) =>
            organization === undefined ? null : knownCollections.length + knownSpaces.length === 0 ? (
              <p className="muted small sidebar-hint">{t("noSpaces")}</p>
            ) : (
              <PlaceTree
                label={t("tree")}
                storageKey="openCollections"
                nodes={placeNodes(organization, knownCollections, knownSpaces, { t, favorites })}
                current={current}
                isOpenByDefault
                onMove={onMove}
              />
            )
          }
        </Loaded>
      )}
    </Loaded>
  )
}

/** The left column of the start page. */
const HomeSidebar = ({ params }: { readonly params: Readonly<Record<string, string>> }) => {
  const t = useStrings(homeStrings)
  const shell = useStrings(shellStrings)
  const { data: organization } = useOrganization()
  const canCreate = organization?.permissions.createContent === true
  useActions(
    organization === undefined || !canCreate
      ? []
      : [
          {
            id: "home.newSpace",
            label: t("newSpace"),
            shortcut: "c",
            run: () => openCreateSpace(organization)
          },
          {
            id: "home.newCollection",
            label: t("newCollection"),
            run: () => openCreateCollection(organization)
          }
        ]
  )
  return (
    <>
      <div className="sidebar-header">
        {organization === undefined ? null : <h2>{organization.title}</h2>}
      </div>
      <div className="sidebar-section">
        <ul className="nav-list">
          <li>
            <Link to="/">
              <Home size={16} aria-hidden />
              {shell("home")}
            </Link>
          </li>
          <li>
            <Link to="/search">
              <Search size={16} aria-hidden />
              {t("searchTitle")}
            </Link>
          </li>
          <OrganizationLinks />
          <li>
            <Link to="/trash">
              <Trash2 size={16} aria-hidden />
              {t("trash")}
            </Link>
          </li>
        </ul>
      </div>
      <div className="sidebar-section">
        <div className="sidebar-heading">
          <span>{t("allSpaces")}</span>
          {organization === undefined || !canCreate ? null : (
            <span>
              <IconButton
                label={t("newCollection")}
                icon={<FolderPlus size={16} />}
                onPress={() => openCreateCollection(organization)}
              />
              <IconButton
                label={t("newSpace")}
                icon={<Plus size={16} />}
                onPress={() => openCreateSpace(organization)}
              />
            </span>
          )}
        </div>
        <Tree current={params.collection} />
      </div>
    </>
  )
}

export default HomeSidebar
