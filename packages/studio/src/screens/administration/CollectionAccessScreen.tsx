/** Who has access to a collection. */

import { ScreenFrame } from "../../components/Screen.tsx"
import { Loaded, NotPermitted } from "../../components/states.tsx"
import { useResource } from "../../data/useResource.ts"
import { administrationNames } from "../../navigation/administrationNames.ts"
import { Link } from "../../router/Link.tsx"
import { client } from "../../session.ts"
import { useStrings } from "../../strings/strings.ts"
import { Access } from "./Access.tsx"

/** Who has access to a collection. */
const CollectionAccessScreen = ({ params }: { readonly params: { readonly collection: string } }) => {
  const t = useStrings(administrationNames)
  const collection = useResource(`collections/${params.collection}`, (signal) =>
    client.collections.getCollectionById({ params: { collectionId: params.collection } }, { signal })
  )
  return (
    <ScreenFrame
      title={t("people")}
      width="text"
      above={
        collection.data === undefined ? undefined : (
          <Link to={`/collections/${params.collection}`}>{collection.data.title}</Link>
        )
      }
    >
      <Loaded resource={collection}>
        {(value) =>
          value.permissions.admin ? <Access content={{ kind: "collection", value }} /> : <NotPermitted />
        }
      </Loaded>
    </ScreenFrame>
  )
}

export default CollectionAccessScreen
