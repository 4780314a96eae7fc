/** What callers do with collections. */

import { Context, Effect, Layer } from "effect"
import { Access, roleOn } from "../../access/Access.ts"
import { Forbidden, InvalidInput } from "../../kernel/errors.ts"
import { TransactionEvents } from "../../kernel/events/TransactionEvents.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import {
  CollectionId,
  type CollectionRow,
  CreateCollection,
  collections,
  ListCollections,
  maximumDepth,
  UpdateCollection
} from "../../model/collections/Collection.ts"
import * as Placement from "../../model/collections/Placement.ts"
import { OrganizationId } from "../../model/organizations/Organization.ts"
import { grants } from "../../model/permissions/Permission.ts"
import { isAtLeast } from "../../model/roles/Role.ts"
import { Move, Transfer } from "../../model/spaces/Move.ts"
import { type SpaceRow, spaces } from "../../model/spaces/Space.ts"
import { SpacesTransferred } from "../../model/spaces/SpaceEvents.ts"
import { defaultTitle, sameOrganization } from "../../model/spaces/SpaceRules.ts"
import { presentCollection } from "../../views/collections/CollectionView.ts"
import { presentSpace } from "../../views/spaces/SpaceView.ts"
import { Containers } from "./Containers.ts"
import * as Siblings from "./Siblings.ts"
import * as Subtree from "./Subtree.ts"

const makeCollections = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const containers = yield* Containers
  const ids = yield* Ids
  const events = yield* TransactionEvents
  const base = yield* PublicUrl

  const change = command(records)

  const store = Effect.fnUntraced(function* (
    before: CollectionRow,
    changes: Partial<Omit<CollectionRow, "id">>
  ) {
    yield* records.update(collections, Where.eq("id", before.id), changes)
    return { ...before, ...changes }
  })

  const fits = (depth: number): Effect.Effect<void, InvalidInput> =>
    depth <= maximumDepth
      ? Effect.void
      : Effect.fail(InvalidInput.at("parent", `is too deep: collections nest at most ${maximumDepth} deep`))

  /** The spaces of a subtree as one meets them going through it in order, those in the bin too. */
  const spacesInOrder = Effect.fnUntraced(function* (
    root: CollectionRow,
    descendants: ReadonlyArray<CollectionRow>
  ): Effect.fn.Return<ReadonlyArray<SpaceRow>, StorageUnavailable> {
    const all = yield* records.find(spaces, {
      where: Where.isIn<SpaceRow, "parent">(
        "parent",
        [root, ...descendants].map((row) => row.id)
      )
    })
    const inside = Map.groupBy<string | null, CollectionRow | SpaceRow>(
      [...descendants, ...all],
      (row) => row.parent
    )
    const walk = (id: string): ReadonlyArray<SpaceRow> =>
      (inside.get(id) ?? [])
        .toSorted((a, b) => (a.position < b.position ? -1 : 1))
        .flatMap((row) => ("revision" in row ? [row] : walk(row.id)))
    return walk(root.id)
  })

  return {
    /** The collection. */
    get: query([CollectionId], function* (id) {
      const { collection, role } = yield* access.collection(id, "view")
      return presentCollection(base, collection, role)
    }),

    /** The collections of an organization that the caller may see: all, newest first, or those at the root in their order. */
    list: query([OrganizationId, ListCollections], function* (organization, page) {
      const caller = yield* access.organization(organization, "list")
      const nested = page.nested ?? true
      const visible = yield* access.visible(caller)
      return yield* readPage(records, page, {
        table: collections,
        list: ["collections", organization, nested],
        where: Where.and<CollectionRow>(
          Where.eq("organization", organization),
          nested ? Where.all : Where.isNull("parent"),
          visible
        ),
        orderBy: nested ? ["id"] : ["position"],
        direction: nested ? "desc" : "asc",
        present: (rows) =>
          Effect.succeed(rows.map((row) => presentCollection(base, row, roleOn(caller, row))))
      })
    }),

    /** The spaces right in a collection that the caller may see, in their order. */
    listSpaces: query([CollectionId, PageQuery], function* (id, page) {
      const { caller } = yield* access.collection(id, "list")
      const visible = yield* access.visible(caller)
      return yield* readPage(records, page, {
        table: spaces,
        list: ["spaces of", id],
        where: Where.and<SpaceRow>(Where.eq("parent", id), Where.isNull("deletedAt"), visible),
        orderBy: ["position"],
        direction: "asc",
        present: (rows) => Effect.succeed(rows.map((row) => presentSpace(base, row, roleOn(caller, row))))
      })
    }),

    /** Makes a collection at the end of its parent: another collection, or the root of the organization. */
    create: change([OrganizationId, CreateCollection], function* (organization, input) {
      const { caller, container } = yield* containers.open(organization, input.parent ?? null)
      const path = Placement.pathIn(container)
      yield* fits(Placement.depthOf(path) + 1)
      const parent = container?.id ?? null
      const row: CollectionRow = {
        id: CollectionId.make(yield* ids.next),
        organization,
        title: input.title ?? defaultTitle,
        description: null,
        parent,
        position: yield* Siblings.keyAtEnd(records, { organization, parent }),
        path,
        defaultLevel: "inherit",
        level: Placement.levelIn(container, "inherit"),
        createdAt: yield* now
      }
      yield* records.insert(collections, row)
      return presentCollection(base, row, roleOn(caller, row))
    }),

    /** Changes what is given. A new default level reaches all below that inherit it. */
    update: change([CollectionId, UpdateCollection], function* (id, input) {
      const { collection, caller } = yield* access.collection(
        id,
        input.defaultLevel === undefined ? "rename" : "configure"
      )
      const texts = {
        ...(input.title === undefined ? {} : { title: input.title }),
        ...(input.description === undefined ? {} : { description: input.description })
      }
      if (input.defaultLevel === undefined) {
        return presentCollection(base, yield* store(collection, texts), roleOn(caller, collection))
      }
      const after = yield* store(collection, {
        ...texts,
        defaultLevel: input.defaultLevel,
        level: Placement.levelIn(yield* containers.above(collection), input.defaultLevel)
      })
      yield* Subtree.settle(records, after, yield* Subtree.below(records, after))
      return presentCollection(base, after, roleOn(caller, after))
    }),

    /**
     * Removes the collection and those in it. No content goes: the spaces of all of them go, in their order, to the
     * end of what the collection was in.
     */
    remove: change([CollectionId], function* (id) {
      const { collection } = yield* access.collection(id, "remove")
      const container = yield* containers.above(collection)
      const descendants = yield* Subtree.below(records, collection)
      const left = yield* spacesInOrder(collection, descendants)
      const target = { organization: collection.organization, parent: collection.parent }
      const keys = yield* Siblings.keysAtEnd(records, target, left.length)
      for (const [index, space] of left.entries()) {
        yield* records.update(spaces, Where.eq("id", space.id), {
          parent: collection.parent,
          position: keys[index]!,
          path: Placement.pathIn(container),
          level: Placement.levelIn(container, space.defaultLevel)
        })
      }
      const folders = [collection, ...descendants]
      yield* records.remove(
        grants,
        Where.isIn(
          "target",
          folders.map((row) => row.id)
        )
      )
      for (const folder of folders.toReversed()) yield* records.remove(collections, Where.eq("id", folder.id))
    }),

    /** Moves the collection, with all that is in it, to another parent, another place among its siblings, or both. */
    move: change([CollectionId, Move], function* (id, input) {
      const { collection, caller } = yield* access.collection(id, "move")
      const parent = input.parent === undefined ? collection.parent : input.parent
      const container =
        parent === collection.parent
          ? yield* containers.above(collection)
          : (yield* containers.open(collection.organization, parent)).container
      const path = Placement.pathIn(container)
      if (Placement.ancestorsOf(path).includes(id)) {
        return yield* InvalidInput.at("parent", "must not be the collection itself, or in it")
      }
      const descendants = yield* Subtree.below(records, collection)
      yield* fits(Placement.depthOf(path) + Subtree.heightOf(collection, descendants))
      const target = { organization: collection.organization, parent }
      const after = yield* store(collection, {
        parent,
        position: yield* Siblings.keyAt(records, caller, target, input.position, collection.id),
        path,
        level: Placement.levelIn(container, collection.defaultLevel)
      })
      if (parent !== collection.parent) yield* Subtree.settle(records, after, descendants)
      return presentCollection(base, after, roleOn(caller, after))
    }),

    /**
     * Hands the collection, with all that is in it, to another organization, at the end of its root. The grants on it
     * go, and its spaces leave their sites. Whoever does so has to administrate everything in it.
     */
    transfer: change([CollectionId, Transfer], function* (id, { organization }) {
      const { collection, caller } = yield* access.collection(id, "transfer")
      if (organization === collection.organization) return yield* sameOrganization
      const target = yield* containers.receive(organization)
      const descendants = yield* Subtree.below(records, collection)
      const content = [...descendants, ...(yield* spacesInOrder(collection, descendants))]
      if (!content.every((row) => isAtLeast(roleOn(caller, row), "admin"))) {
        return yield* new Forbidden({
          message: 'This needs the role "admin" on everything in the collection.'
        })
      }
      yield* Subtree.removeGrants(records, collection.organization, [collection, ...descendants])
      yield* events.publish(SpacesTransferred, {
        spaces: content.flatMap((row) => ("revision" in row ? [row.id] : []))
      })
      const after = yield* store(collection, {
        organization,
        parent: null,
        position: yield* Siblings.keyAtEnd(records, { organization, parent: null }),
        path: Placement.pathIn(undefined),
        level: Placement.levelIn(undefined, collection.defaultLevel)
      })
      yield* Subtree.settle(records, after, descendants)
      return presentCollection(base, after, roleOn(target, after))
    })
  }
})

/** See the module's comment. */
export class Collections extends Context.Service<Collections, Effect.Success<typeof makeCollections>>()(
  "@lectern/core/Collections"
) {
  static readonly layer: Layer.Layer<
    Collections,
    never,
    Records | Access | Containers | Ids | TransactionEvents
  > = Layer.effect(Collections, makeCollections)
}
