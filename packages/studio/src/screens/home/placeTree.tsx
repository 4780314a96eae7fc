/** The tree of collections and spaces, with the actions of each. */
import type { Collection, Organization, Place, Space } from "@lectern/client/fetch"
import type { Action } from "../../actions/actions.ts"
import { Emoji } from "../../components/Emoji.tsx"
import type { TreeNode } from "../../components/TreeNode.ts"
import { isFavorite, setFavorite } from "../../data/places.ts"
import { BookOpen, Folder } from "../../icons/icons.gen.ts"
import { administrationNames } from "../../navigation/administrationNames.ts"
import { navigate } from "../../router/location.ts"
import { placesStrings } from "../../strings/places.ts"
import { type Translate, translate } from "../../strings/strings.ts"
import {
  openCreateCollection,
  openCreateSpace,
  openDeleteCollection,
  openMoveCollection,
  openMoveSpace,
  openRenameCollection,
  openRenameSpace
} from "./dialogs.tsx"
import { duplicateSpace, trashSpace } from "./spaces.ts"
import type { homeStrings } from "./strings.ts"

type T = Translate<(typeof homeStrings)["en"]>

/** The actions of a space that the person may do. */
export const spaceActions = (space: Space, t: T, favorites: ReadonlyArray<Place>): ReadonlyArray<Action> => {
  const { admin, rename } = space.permissions
  const { id: spaceId, organization: organizationId, title } = space
  const isMarked = isFavorite(favorites, { spaceId })
  return [
    {
      id: "favorite",
      label: translate(placesStrings, isMarked ? "remove" : "add"),
      run: () => void setFavorite({ organizationId, spaceId, title }, !isMarked)
    },
    ...(rename
      ? [
          { id: "rename", label: t("rename"), run: () => openRenameSpace(space) },
          { id: "move", label: t("moveTo"), run: () => openMoveSpace(space) },
          { id: "duplicate", label: t("duplicate"), run: () => void duplicateSpace(space) }
        ]
      : []),
    ...(admin
      ? [{ id: "trash", label: t("remove"), isDangerous: true, run: () => void trashSpace(space) }]
      : [])
  ]
}

/** The actions of a collection that the person may do. */
export const collectionActions = (
  organization: Organization,
  collection: Collection,
  t: T
): ReadonlyArray<Action> => {
  const { admin, create } = collection.permissions
  return [
    { id: "open", label: t("open"), run: () => navigate(`/collections/${collection.id}`) },
    ...(create
      ? [
          { id: "space", label: t("newSpaceHere"), run: () => openCreateSpace(organization, collection.id) },
          {
            id: "collection",
            label: t("newCollectionHere"),
            run: () => openCreateCollection(organization, collection.id)
          },
          { id: "rename", label: t("rename"), run: () => openRenameCollection(collection) },
          { id: "move", label: t("moveTo"), run: () => openMoveCollection(collection) }
        ]
      : []),
    ...(admin
      ? [
          {
            id: "people",
            label: translate(administrationNames, "people"),
            run: () => navigate(`/collections/${collection.id}/permissions`)
          },
          {
            id: "delete",
            label: t("removeCollection"),
            isDangerous: true,
            run: () => openDeleteCollection(collection)
          }
        ]
      : [])
  ]
}

/** Returns the tree of collections and spaces, in the order that people have given them. */
export const placeNodes = (
  organization: Organization,
  collections: ReadonlyArray<Collection>,
  spaces: ReadonlyArray<Space>,
  { t, favorites }: { readonly t: T; readonly favorites: ReadonlyArray<Place> }
): ReadonlyArray<TreeNode> => {
  const known = new Set(collections.map(({ id }) => id))
  // A member can see a space without its collection.
  const isIn = (parent: string | undefined) => (item: { readonly parent?: string }) =>
    parent === undefined ? item.parent === undefined || !known.has(item.parent) : item.parent === parent
  const nodeOfCollection = (collection: Collection): TreeNode => ({
    id: collection.id,
    title: collection.title,
    icon: <Folder size={15} />,
    children: childrenOf(collection.id),
    canContain: collection.permissions.create,
    canMove: collection.permissions.create,
    actions: () => collectionActions(organization, collection, t)
  })
  const nodeOfSpace = (space: Space): TreeNode => ({
    id: space.id,
    title: space.title === "" ? t("untitled") : space.title,
    icon: <Emoji emoji={space.emoji} fallback={<BookOpen size={15} />} />,
    to: `/spaces/${space.id}`,
    canMove: space.permissions.rename,
    actions: () => spaceActions(space, t, favorites)
  })
  const childrenOf = (parent: string | undefined): ReadonlyArray<TreeNode> =>
    [
      ...collections
        .filter(isIn(parent))
        .map((item) => ({ key: item.sortKey, node: () => nodeOfCollection(item) })),
      ...spaces.filter(isIn(parent)).map((item) => ({ key: item.sortKey, node: () => nodeOfSpace(item) }))
    ]
      .toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
      .map(({ node }) => node())
  return childrenOf(undefined)
}
