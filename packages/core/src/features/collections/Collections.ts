/** Operations on collections. */

import {
  Access,
  type AccessError,
  type Command,
  type GrantedRecords,
  Locks,
  Operations,
  OrganizationQuotas,
  type Query,
  requireGrantable,
  requireQuotaForSpaces,
  roleOn
} from "@lectern/access"
import { Ids, makeLinkBase, now, readPage, TransactionEvents, Where } from "@lectern/kernel"
import { type CollectionRow, collections, grants, type SpaceRow, spaces } from "@lectern/kernel/tables"
import * as Placement from "@lectern/model/collections"
import {
  type Collection,
  CollectionId,
  CreateCollection,
  ListCollections,
  maximumDepth,
  UpdateCollection
} from "@lectern/model/collections"
import { type Conflict, Forbidden, InvalidInput, type PreconditionFailed } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import { isAtLeast } from "@lectern/model/roles"
import { type Page, PageQuery } from "@lectern/model/schema"
import type { Space } from "@lectern/model/spaces"
import { defaultTitle, Move, sameOrganization, Transfer } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import { presentCollection } from "../../views/collections/CollectionView.ts"
import { presentSpaceFor } from "../../views/spaces/SpaceView.ts"
import { Containers } from "./Containers.ts"
import * as Siblings from "./Siblings.ts"
import * as Subtree from "./Subtree.ts"
import { transferContent } from "./transferContent.ts"

/**
 * Operations on collections, on behalf of the `CurrentUser`. They fail with `NotFound` for a collection or an
 * organization that the caller cannot see, and with `Forbidden` if the caller's role is too low.
 */
export interface CollectionsOperations {
  /** Returns the collection. */
  readonly get: Query<{ collection: CollectionId }, Collection, AccessError>
  /**
   * Lists the collections of an organization that the caller can see: all of them, newest first, or if `nested` is
   * false only the collections at the root, in their order.
   */
  readonly list: Query<
    { organization: OrganizationId; input?: ListCollections },
    Page<Collection>,
    AccessError
  >
  /**
   * Lists the spaces directly in the collection, in their order. Omits spaces in the trash and spaces that the caller
   * cannot see.
   */
  readonly listSpaces: Query<{ collection: CollectionId; input?: PageQuery }, Page<Space>, AccessError>
  /**
   * Creates a collection at the end of its parent: another collection, or the root of the organization. Requires the
   * role `create` there. Fails with `InvalidInput` if it would be nested deeper than 8 levels.
   */
  readonly create: Command<
    { organization: OrganizationId; input?: CreateCollection },
    Collection,
    AccessError
  >
  /**
   * Updates the given fields. A new `defaultLevel` also applies to all content below that inherits it. `defaultLevel`
   * requires the role `admin`, the others `create`.
   */
  readonly update: Command<{ collection: CollectionId; input?: UpdateCollection }, Collection, AccessError>
  /**
   * Permanently removes the collection and the collections in it; requires the role `admin`. No content is removed: the
   * spaces of all of them move, in their order, to the end of the parent of the collection.
   */
  readonly remove: Command<{ collection: CollectionId }, void, AccessError>
  /**
   * Moves the collection, with everything in it, to another parent, to another position among its siblings, or both.
   * Requires the role `create` on the collection and on a new parent. Fails with `InvalidInput` if the parent is the
   * collection itself or in it, if collections would be nested deeper than 8 levels, or if the position names an item
   * that is not in the parent.
   */
  readonly move: Command<{ collection: CollectionId; input?: Move }, Collection, AccessError>
  /**
   * Transfers the collection, with everything in it, to the end of the root of another organization. Its permissions
   * are removed, and its spaces leave their sites. Requires the role `admin` on everything in the collection. Fails
   * with `Conflict` if it is in that organization already, and with `PreconditionFailed` if the caller cannot create
   * content there.
   */
  readonly transfer: Command<
    { collection: CollectionId; input: Transfer },
    Collection,
    AccessError | Conflict | PreconditionFailed
  >
}

const store = Effect.fnUntraced(function* (
  records: GrantedRecords,
  before: CollectionRow,
  changes: Partial<Omit<CollectionRow, "id">>
) {
  // Members can receive a role by a level that the collection inherits from its new place.
  if (changes.level !== before.level) yield* requireGrantable([changes.level])
  yield* records.update(collections, Where.eq("id", before.id), changes)
  return { ...before, ...changes }
})

const requireDepth = (depth: number): Effect.Effect<void, InvalidInput> =>
  depth <= maximumDepth
    ? Effect.void
    : Effect.fail(
        InvalidInput.at(
          "parent",
          `is nested too deeply: collections nest at most ${maximumDepth} levels deep`
        )
      )

const makeReads = Effect.gen(function* () {
  const access = yield* Access
  const { query, allow } = yield* Operations
  const linkBase = yield* makeLinkBase

  return {
    get: query(
      "Collections.get",
      { parameters: { collection: CollectionId }, authorize: allow.collection("view") },
      function* (_, { collection, role }) {
        return presentCollection(yield* linkBase, collection, role)
      }
    ),

    list: query(
      "Collections.list",
      {
        parameters: { organization: OrganizationId, input: ListCollections },
        authorize: allow.organization("list")
      },
      function* ({ organization, input }, { caller, records }) {
        const nested = input.nested ?? true
        const visible = yield* access.whereVisible(caller)
        return yield* readPage(records, input, {
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
            Effect.map(linkBase, (base) =>
              rows.map((row) => presentCollection(base, row, roleOn(caller, row)))
            )
        })
      }
    ),

    listSpaces: query(
      "Collections.listSpaces",
      {
        parameters: { collection: CollectionId, input: PageQuery },
        authorize: allow.collection("list")
      },
      function* ({ collection, input }, { caller, records }) {
        const visible = yield* access.whereVisible(caller)
        return yield* readPage(records, input, {
          table: spaces,
          list: ["spaces of", collection],
          where: Where.and<SpaceRow>(Where.eq("parent", collection), Where.isNull("deletedAt"), visible),
          orderBy: ["position"],
          direction: "asc",
          present: (rows) =>
            Effect.map(linkBase, (base) => rows.map((row) => presentSpaceFor(base, caller, row)))
        })
      }
    )
  }
})

const makeEdits = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const containers = yield* Containers
  const ids = yield* Ids
  const linkBase = yield* makeLinkBase

  return {
    create: command(
      "Collections.create",
      {
        parameters: { organization: OrganizationId, input: CreateCollection },
        authorize: containers.allow("create"),
        locks: Locks.organization
      },
      function* ({ organization, input }, { caller, records }) {
        const container = yield* containers.open(caller, input.parent ?? null)
        const path = Placement.pathIn(container)
        yield* requireDepth(Placement.depthOf(path) + 1)
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
        return presentCollection(yield* linkBase, row, roleOn(caller, row))
      }
    ),

    update: command(
      "Collections.update",
      {
        parameters: { collection: CollectionId, input: UpdateCollection },
        authorize: allow.collection("rename", "configure"),
        locks: Locks.organizationOfCollection
      },
      function* ({ input }, { collection, caller, records, ...grant }) {
        if (input.defaultLevel !== undefined) yield* grant.requireAction("configure")
        const texts = {
          ...(input.title === undefined ? {} : { title: input.title }),
          ...(input.description === undefined ? {} : { description: input.description })
        }
        if (input.defaultLevel === undefined) {
          return presentCollection(
            yield* linkBase,
            yield* store(records, collection, texts),
            roleOn(caller, collection)
          )
        }
        const after = yield* store(records, collection, {
          ...texts,
          defaultLevel: input.defaultLevel,
          level: Placement.levelIn(yield* containers.above(records, collection), input.defaultLevel)
        })
        yield* Subtree.updatePlacement(records, after, yield* Subtree.findDescendants(records, after))
        return presentCollection(yield* linkBase, after, roleOn(caller, after))
      }
    )
  }
})

const makeMoves = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const containers = yield* Containers
  const quotas = yield* OrganizationQuotas
  const events = yield* TransactionEvents
  const linkBase = yield* makeLinkBase

  return {
    move: command(
      "Collections.move",
      {
        parameters: { collection: CollectionId, input: Move },
        authorize: allow.collection("move"),
        locks: Locks.organizationOfCollection
      },
      function* ({ input }, { collection, caller, records }) {
        const parent = input.parent === undefined ? collection.parent : input.parent
        const container =
          parent === collection.parent
            ? yield* containers.above(records, collection)
            : yield* containers.open(caller, parent)
        const path = Placement.pathIn(container)
        if (Placement.ancestorsOf(path).includes(collection.id)) {
          return yield* InvalidInput.at("parent", "must not be the collection itself or a collection in it")
        }
        const descendants = yield* Subtree.findDescendants(records, collection)
        yield* requireDepth(Placement.depthOf(path) + Subtree.heightOf(collection, descendants))
        const target = { organization: collection.organization, parent }
        const after = yield* store(records, collection, {
          parent,
          position: yield* Siblings.keyAt(records, caller, target, input.position, collection.id),
          path,
          level: Placement.levelIn(container, collection.defaultLevel)
        })
        if (parent !== collection.parent) yield* Subtree.updatePlacement(records, after, descendants)
        return presentCollection(yield* linkBase, after, roleOn(caller, after))
      }
    ),

    transfer: command(
      "Collections.transfer",
      {
        parameters: { collection: CollectionId, input: Transfer },
        authorize: allow.collection("transfer"),
        locks: ({ collection, input }) => [
          ...Locks.organizationOfCollection({ collection }),
          ...Locks.organization(input)
        ]
      },
      function* ({ input: { organization } }, { collection, caller, records: ours }) {
        if (organization === collection.organization) return yield* sameOrganization
        const target = yield* containers.receive(organization)
        const records = ours.with(target.grant)
        const descendants = yield* Subtree.findDescendants(records, collection)
        const content = [...descendants, ...(yield* Subtree.spacesInOrder(records, collection, descendants))]
        if (!content.every((row) => isAtLeast(roleOn(caller, row), "admin"))) {
          return yield* new Forbidden({
            reason: "RoleTooLow",
            message:
              'The transfer requires the role "admin" on every space and collection in the collection. Ask an administrator of the organization to transfer it.'
          })
        }
        const transferred = content.flatMap((row) => ("revision" in row ? [row.id] : []))
        yield* requireQuotaForSpaces(quotas, records, organization, transferred)
        yield* Subtree.removeGrants(records, collection.organization, [collection, ...descendants])
        yield* transferContent(events, records, transferred, organization)
        const after = yield* store(records, collection, {
          organization,
          parent: null,
          position: yield* Siblings.keyAtEnd(records, { organization, parent: null }),
          path: Placement.pathIn(undefined),
          level: Placement.levelIn(undefined, collection.defaultLevel)
        })
        yield* Subtree.updatePlacement(records, after, descendants)
        return presentCollection(yield* linkBase, after, roleOn(target.caller, after))
      }
    )
  }
})

const makeRemoval = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const containers = yield* Containers

  return {
    remove: command(
      "Collections.remove",
      {
        parameters: { collection: CollectionId },
        authorize: allow.collection("remove"),
        locks: Locks.organizationOfCollection
      },
      function* (_, { collection, records }) {
        const container = yield* containers.above(records, collection)
        const descendants = yield* Subtree.findDescendants(records, collection)
        const remaining = yield* Subtree.spacesInOrder(records, collection, descendants)
        const target = { organization: collection.organization, parent: collection.parent }
        const keys = yield* Siblings.keysAtEnd(records, target, remaining.length)
        if (container?.level !== collection.level) yield* requireGrantable([container?.level])
        for (const [index, space] of remaining.entries()) {
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
        for (const folder of folders.toReversed()) {
          yield* records.remove(collections, Where.eq("id", folder.id))
        }
      }
    )
  }
})

const makeCollections = Effect.gen(function* () {
  return { ...(yield* makeReads), ...(yield* makeEdits), ...(yield* makeMoves), ...(yield* makeRemoval) }
})

/** Operations on collections: see {@link CollectionsOperations}. */
export class Collections extends Context.Service<Collections, CollectionsOperations>()(
  "@lectern/core/Collections"
) {
  static readonly layer: Layer.Layer<
    Collections,
    never,
    Access | Operations | Containers | Ids | TransactionEvents
  > = Layer.effect(Collections, makeCollections)
}
