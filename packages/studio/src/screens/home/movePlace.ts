/** Moves collections and spaces: into collections, and among their siblings. */
import type { Collection, Space } from "@lectern/client/fetch"
import type { TreePlace } from "../../components/TreeNode.ts"
import { writeData } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { client } from "../../session.ts"
import { translate } from "../../strings/strings.ts"
import { collectionsKey, spacesKey } from "./spaces.ts"
import { homeStrings } from "./strings.ts"

/** The collections and spaces of an organization. */
export interface KnownPlaces {
  readonly collections: ReadonlyArray<Collection>
  readonly spaces: ReadonlyArray<Space>
}

type Item = Collection | Space

const compareKeys = (one: Item, other: Item): number =>
  one.sortKey < other.sortKey ? -1 : one.sortKey > other.sortKey ? 1 : 0

/** Returns the collections and spaces of a parent in their order, without the one that moves. */
const siblingsIn = (
  { collections, spaces }: KnownPlaces,
  parent: string | undefined,
  moving: string
): ReadonlyArray<Item> =>
  [...collections, ...spaces]
    .filter((item) => item.parent === parent && item.id !== moving)
    .toSorted(compareKeys)

/** Returns where an item is now. */
const placeOf = (known: KnownPlaces, item: Item): TreePlace => {
  const after = siblingsIn(known, item.parent, item.id).find((other) => compareKeys(item, other) < 0)
  return { parent: item.parent, before: after?.id }
}

/**
 * Returns a key that sorts before a sibling, for the time until the server responds with the real one. Keys consist of letters and
 * digits, which sort after "!".
 */
export const temporaryKey = (
  siblings: ReadonlyArray<Pick<Item, "id" | "sortKey">>,
  before: string | undefined
): string => {
  const index = before === undefined ? siblings.length : siblings.findIndex(({ id }) => id === before)
  return `${siblings[(index < 0 ? siblings.length : index) - 1]?.sortKey ?? ""}!`
}

const setPlace =
  (id: string, parent: string | undefined, sortKey: string) =>
  <Moved extends Item>(items: ReadonlyArray<Moved>): ReadonlyArray<Moved> =>
    items.map((item) => {
      if (item.id !== id) return item
      const { parent: _, ...rest } = item
      return { ...rest, ...(parent === undefined ? {} : { parent }), sortKey } as Moved
    })

/** Moves a collection or a space to a place in the tree. */
export const movePlace = async (known: KnownPlaces, id: string, place: TreePlace): Promise<void> => {
  const item = [...known.collections, ...known.spaces].find((candidate) => candidate.id === id)
  if (item === undefined) return
  const { organization, title } = item
  const former = placeOf(known, item)
  const siblings = siblingsIn(known, place.parent, id)
  const isCollection = (other: string) => known.collections.some((candidate) => candidate.id === other)
  const send = ({ parent, before }: TreePlace): Promise<unknown> => {
    // A space can be displayed at the root because its collection is hidden: nothing can be placed before it there.
    const isSibling = siblingsIn(known, parent, id).some((other) => other.id === before)
    const position =
      before === undefined || !isSibling
        ? {}
        : {
            position: {
              before: isCollection(before)
                ? { type: "collection" as const, collection: before }
                : { type: "space" as const, space: before }
            }
          }
    const payload = { parent: parent ?? null, ...position }
    return isCollection(id)
      ? client.collections.moveCollection({ params: { collectionId: id }, payload })
      : client.spaces.moveSpace({ params: { spaceId: id }, payload })
  }
  const apply = setPlace(id, place.parent, temporaryKey(siblings, place.before))
  await runChange({
    apply: () => [
      isCollection(id)
        ? writeData<ReadonlyArray<Collection>>(collectionsKey(organization), apply)
        : writeData<ReadonlyArray<Space>>(spacesKey(organization), apply)
    ],
    send: () => send(place),
    message: translate(homeStrings, "moved", { title }),
    failure: translate(homeStrings, "moveFailed", { title }),
    undo: () => send(former),
    invalidates: [spacesKey(organization), collectionsKey(organization)]
  })
}
