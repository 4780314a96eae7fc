/** A collection: its collections and spaces. */

import { ScreenMenu } from "../../components/ActionMenu.tsx"
import { Button } from "../../components/Button.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState, FailedState, Loaded, Skeleton } from "../../components/states.tsx"
import { useOrganization } from "../../data/organization.ts"
import { useResource } from "../../data/useResource.ts"
import { Folder, Plus } from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { client } from "../../session.ts"
import { shellStrings } from "../../strings/shell.ts"
import { useStrings } from "../../strings/strings.ts"
import { openCreateSpace } from "./dialogs.tsx"
import { collectionActions } from "./placeTree.tsx"
import { SpaceList } from "./SpaceList.tsx"
import { useCollections, useSpaces } from "./spaces.ts"
import { homeStrings } from "./strings.ts"

/** A collection. */
const CollectionScreen = ({ params }: { readonly params: { readonly collection: string } }) => {
  const t = useStrings(homeStrings)
  const shell = useStrings(shellStrings)
  const { data: organization } = useOrganization()
  const collections = useCollections()
  const spaces = useSpaces()
  const loaded = useResource(`collections/${params.collection}`, (signal) =>
    client.collections.getCollectionById({ params: { collectionId: params.collection } }, { signal })
  )
  const collection = collections.data?.find(({ id }) => id === params.collection) ?? loaded.data
  if (collection === undefined || organization === undefined) {
    return loaded.error === undefined ? (
      <Skeleton kind="text" />
    ) : (
      <FailedState error={loaded.error} onRetry={loaded.reload} />
    )
  }
  const children = collections.data?.filter(({ parent }) => parent === collection.id) ?? []
  const createSpace = collection.permissions.create ? (
    <Button
      variant="primary"
      icon={<Plus size={16} />}
      onPress={() => openCreateSpace(organization, collection.id)}
    >
      {t("newSpace")}
    </Button>
  ) : null
  return (
    <ScreenFrame
      title={collection.title}
      icon={<Folder aria-hidden />}
      actions={
        <>
          <ScreenMenu
            label={shell("moreActions")}
            actions={collectionActions(organization, collection, t).filter(({ id }) => id !== "open")}
          />
          {createSpace}
        </>
      }
    >
      {collection.description === undefined ? null : <p className="muted">{collection.description}</p>}
      {children.length === 0 ? null : (
        <ul className="list section">
          {children.map(({ id, title }) => (
            <li key={id}>
              <span className="list-icon">
                <Folder size={18} aria-hidden />
              </span>
              <div className="list-text">
                <Link className="list-link" to={`/collections/${id}`}>
                  {title}
                </Link>
              </div>
            </li>
          ))}
        </ul>
      )}
      <Loaded resource={spaces}>
        {(known) => {
          const own = known.filter(({ parent }) => parent === collection.id)
          if (own.length > 0) return <SpaceList spaces={own} />
          return children.length > 0 ? null : (
            <EmptyState icon={<Folder />} title={t("noSpacesHere")} actions={createSpace} />
          )
        }}
      </Loaded>
    </ScreenFrame>
  )
}

export default CollectionScreen
