/** Operations on spaces. */

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
  requireQuota,
  requireQuotaForSpaces,
  SystemGrant
} from "@lectern/access"
import { firstRevision } from "@lectern/content"
import {
  Ids,
  makeLinkBase,
  now,
  Records,
  readPage,
  type StorageUnavailable,
  TransactionEvents,
  Where
} from "@lectern/kernel"
import {
  changesOf,
  grants,
  revisions,
  type SpaceRow,
  SpacesPurged,
  SpacesRestored,
  SpacesTrashed,
  spaces
} from "@lectern/kernel/tables"
import * as Placement from "@lectern/model/collections"
import {
  Conflict,
  type Forbidden,
  type Gone,
  type NotFound,
  type PreconditionFailed
} from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import { type Page, PageQuery } from "@lectern/model/schema"
import {
  CreateSpace,
  defaultTitle,
  Move,
  requiresAdministrator,
  type Space,
  SpaceId,
  SpaceQuery,
  type SpaceTrash,
  sameOrganization,
  Transfer,
  UpdateSpace,
  withoutConnections
} from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import { urlByKey } from "../../views/sites/publishedSpaces.ts"
import { presentSpace, presentSpaceFor } from "../../views/spaces/SpaceView.ts"
import { Containers } from "../collections/Containers.ts"
import * as Siblings from "../collections/Siblings.ts"
import { transferContent } from "../collections/transferContent.ts"
import { makeCachedSpaces } from "./cachedSpaces.ts"
import { SpaceCopies } from "./SpaceCopies.ts"
import { purgeTrash, readTrash } from "./trash.ts"

/**
 * Operations on spaces, on behalf of the `CurrentUser`. They fail with `NotFound` for a space or an organization that
 * the caller cannot see, with `Forbidden` if the caller's role is too low, and, except for `get` and `restore`, with
 * `Conflict` for a space in the trash.
 */
export interface SpacesOperations {
  /**
   * Returns the space. With the key of a share link of one of its sites, `urls.published` is the URL that this key
   * opens. Only administrators can see a space in the trash.
   */
  readonly get: Query<{ space: SpaceId; input?: SpaceQuery }, Space, SpaceError>
  /** Lists the spaces of an organization that the caller can see, newest first. */
  readonly list: Query<{ organization: OrganizationId; input?: PageQuery }, Page<Space>, AccessError>
  /** Lists the spaces in the trash that the caller can restore, the last deleted one first: at most 500. */
  readonly listTrash: Query<{ organization: OrganizationId }, SpaceTrash, AccessError>
  /**
   * Creates a space at the end of its parent: a collection, or the root of the organization. Requires the role `create`
   * there.
   */
  readonly create: Command<{ organization: OrganizationId; input?: CreateSpace }, Space, AccessError>
  /** Updates the given fields. `editMode` and `defaultLevel` require the role `admin`, the others `create`. */
  readonly update: Command<{ space: SpaceId; input?: UpdateSpace }, Space, SpaceError>
  /**
   * Moves the space to the trash; requires the role `admin`. Its sites omit it. It can be restored for 7 days.
   */
  readonly remove: Command<{ space: SpaceId }, void, SpaceError>
  /**
   * Restores the space from the trash to its former place, also on its sites; requires the role `admin`. Fails with `Conflict` if the
   * space is not in the trash, and with `Gone` after 7 days.
   */
  readonly restore: Command<{ space: SpaceId }, Space, SpaceError>
  /**
   * Copies the settings and the content of the space to a new space directly after it, without comments, change
   * requests and permissions. A background job adds the copy to the search index. Requires the role `create` on the
   * space and on its parent.
   */
  readonly duplicate: Command<{ space: SpaceId }, Space, SpaceError>
  /**
   * Moves the space to another parent, to another position among its siblings, or both. Requires the role `create` on
   * the space and on a new parent. Fails with `InvalidInput` if the position names an item that is not in the parent.
   */
  readonly move: Command<{ space: SpaceId; input?: Move }, Space, SpaceError>
  /**
   * Transfers the space to the root of another organization. Its permissions are removed, and it leaves its sites.
   * Requires the role `admin` on the space. Fails with `Conflict` if it is in that organization already, and with
   * `PreconditionFailed` if the caller cannot create content there.
   */
  readonly transfer: Command<{ space: SpaceId; input: Transfer }, Space, SpaceError | PreconditionFailed>
  /**
   * Permanently removes the spaces that were deleted more than 7 days ago, with everything that belongs to them, and
   * returns their number. Runs on behalf of no user. Fails with `StorageUnavailable` if the store does not respond.
   */
  readonly purge: Effect.Effect<number, StorageUnavailable>
}

/** Errors of operations on one space: `Conflict` if it is in the trash, `Gone` if it can no longer be restored. */
export type SpaceError = NotFound | Forbidden | Conflict | Gone

const store = Effect.fnUntraced(function* (
  records: GrantedRecords,
  before: SpaceRow,
  changes: Partial<SpaceRow>
) {
  const { id, ...set } = changes
  // Members can receive a role by a level that the space inherits from its new place.
  if (set.level !== before.level) yield* requireGrantable([set.level])
  const after = { ...before, ...set, updatedAt: yield* now }
  yield* records.update(spaces, Where.eq("id", before.id), { ...set, updatedAt: after.updatedAt })
  return after
})

const makeReads = Effect.gen(function* () {
  const access = yield* Access
  const { query, allow } = yield* Operations
  const linkBase = yield* makeLinkBase
  const cached = makeCachedSpaces(yield* Records)

  return {
    get: query(
      "Spaces.get",
      { parameters: { space: SpaceId, input: SpaceQuery }, authorize: allow.publishedSpace("view") },
      function* ({ input: { shareKey } }, { space, caller, role, records }) {
        const url = shareKey === undefined ? undefined : yield* urlByKey(records, space, shareKey)
        const base = yield* linkBase
        return url === undefined
          ? cached.present(base, space, role, caller.role)
          : presentSpace(base, { ...space, published: { visibility: "share-link", url } }, role, caller.role)
      }
    ),

    list: query(
      "Spaces.list",
      {
        parameters: { organization: OrganizationId, input: PageQuery },
        authorize: allow.organization("list")
      },
      function* ({ organization, input }, { caller, records }) {
        const base = yield* linkBase
        const read = Effect.flatMap(access.whereVisible(caller), (visible) =>
          readPage(records, input, {
            table: spaces,
            list: ["spaces", organization],
            where: Where.and<SpaceRow>(
              Where.eq("organization", organization),
              Where.isNull("deletedAt"),
              visible
            ),
            orderBy: ["id"],
            direction: "desc",
            present: (rows) => Effect.succeed(rows.map((row) => presentSpaceFor(base, caller, row)))
          })
        )
        return yield* cached.list(caller, base, input, () => read)
      }
    )
  }
})

const makeCreation = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const containers = yield* Containers
  const quotas = yield* OrganizationQuotas
  const ids = yield* Ids
  const linkBase = yield* makeLinkBase
  const copies = yield* SpaceCopies

  return {
    create: command(
      "Spaces.create",
      {
        parameters: { organization: OrganizationId, input: CreateSpace },
        authorize: containers.allow("create"),
        locks: Locks.organization
      },
      function* ({ organization, input }, { caller, records }) {
        const container = yield* containers.open(caller, input.parent ?? null)
        const [id, createdAt] = [SpaceId.make(yield* ids.next), yield* now]
        const first = { organization, space: id, author: caller.user, createdAt }
        const revision = yield* firstRevision(ids, first)
        const row: SpaceRow = {
          id,
          organization,
          title: input.title ?? defaultTitle,
          emoji: input.emoji ?? null,
          icon: null,
          parent: container?.id ?? null,
          position: yield* Siblings.keyAtEnd(records, { organization, parent: container?.id ?? null }),
          path: Placement.pathIn(container),
          defaultLevel: "inherit",
          level: Placement.levelIn(container, "inherit"),
          editMode: input.editMode ?? "live",
          mergeRules: null,
          revision: revision.id,
          comments: 0,
          changeRequests: 0,
          changeRequestsOpen: 0,
          changeRequestsDraft: 0,
          contentBytes: 0,
          isCounted: true,
          createdAt,
          updatedAt: createdAt,
          deletedAt: null,
          ...withoutConnections
        }
        yield* requireQuota(quotas, records, row.organization, "spaces", 1)
        yield* records.insert(spaces, row)
        yield* records.insert(revisions, revision)
        return presentSpaceFor(yield* linkBase, caller, row)
      }
    ),

    duplicate: command(
      "Spaces.duplicate",
      {
        parameters: { space: SpaceId },
        authorize: allow.space("duplicate"),
        locks: Locks.organizationOfSpace
      },
      function* (_, opened) {
        const row = yield* copies.copy(opened)
        return presentSpaceFor(yield* linkBase, opened.caller, row)
      }
    )
  }
})

const makeEdits = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const containers = yield* Containers
  const quotas = yield* OrganizationQuotas
  const events = yield* TransactionEvents
  const linkBase = yield* makeLinkBase

  return {
    update: command(
      "Spaces.update",
      {
        parameters: { space: SpaceId, input: UpdateSpace },
        authorize: allow.space("rename", "configure"),
        locks: Locks.organizationOfSpace
      },
      function* ({ input }, { space, caller, requireAction, records }) {
        if (requiresAdministrator(input)) yield* requireAction("configure")
        const container =
          input.defaultLevel === undefined ? undefined : yield* containers.above(records, space)
        const after = yield* store(records, space, {
          ...changesOf(input),
          ...(input.defaultLevel === undefined
            ? {}
            : { defaultLevel: input.defaultLevel, level: Placement.levelIn(container, input.defaultLevel) })
        })
        return presentSpaceFor(yield* linkBase, caller, after)
      }
    ),

    move: command(
      "Spaces.move",
      {
        parameters: { space: SpaceId, input: Move },
        authorize: allow.space("move"),
        locks: Locks.organizationOfSpace
      },
      function* ({ input }, { space, caller, records }) {
        const parent = input.parent === undefined ? space.parent : input.parent
        const container =
          parent === space.parent
            ? yield* containers.above(records, space)
            : yield* containers.open(caller, parent)
        const target = { organization: space.organization, parent }
        const after = yield* store(records, space, {
          parent,
          position: yield* Siblings.keyAt(records, caller, target, input.position, space.id),
          path: Placement.pathIn(container),
          level: Placement.levelIn(container, space.defaultLevel)
        })
        return presentSpaceFor(yield* linkBase, caller, after)
      }
    ),

    transfer: command(
      "Spaces.transfer",
      {
        parameters: { space: SpaceId, input: Transfer },
        authorize: allow.space("transfer"),
        locks: ({ space, input }) => [...Locks.organizationOfSpace({ space }), ...Locks.organization(input)]
      },
      function* ({ input: { organization } }, { space, records: ours }) {
        if (organization === space.organization) return yield* sameOrganization
        const { caller, grant } = yield* containers.receive(organization)
        const records = ours.with(grant)
        yield* requireQuotaForSpaces(quotas, records, organization, [space.id])
        yield* records.remove(grants, Where.eq("target", space.id))
        yield* transferContent(events, records, [space.id], organization)
        const after = yield* store(records, space, {
          organization,
          ...withoutConnections,
          parent: null,
          position: yield* Siblings.keyAtEnd(records, { organization, parent: null }),
          path: Placement.pathIn(undefined),
          level: Placement.levelIn(undefined, space.defaultLevel)
        })
        return presentSpaceFor(yield* linkBase, caller, after)
      }
    )
  }
})

const makeTrash = Effect.gen(function* () {
  const { lockedTransaction } = yield* Records
  const system = yield* SystemGrant.make("Purges spaces whose retention has expired.")
  const access = yield* Access
  const { query, command, allow } = yield* Operations
  const events = yield* TransactionEvents
  const linkBase = yield* makeLinkBase

  return {
    listTrash: query(
      "Spaces.listTrash",
      { parameters: { organization: OrganizationId }, authorize: allow.organization("list") },
      function* ({ organization }, { caller, records }) {
        return yield* readTrash(access, records, caller, organization, yield* linkBase)
      }
    ),

    remove: command(
      "Spaces.remove",
      { parameters: { space: SpaceId }, authorize: allow.space("remove"), locks: Locks.organizationOfSpace },
      function* (_, { space, records }) {
        yield* store(records, space, { deletedAt: yield* now })
        yield* events.publish(SpacesTrashed, { spaces: [space.id] })
      }
    ),

    restore: command(
      "Spaces.restore",
      { parameters: { space: SpaceId }, authorize: allow.space("restore"), locks: Locks.organizationOfSpace },
      function* (_, { space, caller, role, records }) {
        if (space.deletedAt === null)
          return yield* new Conflict({
            reason: "SpaceNotDeleted",
            message: "The space is not in the trash. Only deleted spaces can be restored."
          })
        const restored = yield* store(records, space, { deletedAt: null })
        yield* events.publish(SpacesRestored, { spaces: [space.id] })
        const published = yield* records.get(spaces, { id: space.id }, ["published"])
        return presentSpace(yield* linkBase, { ...restored, ...published }, role, caller.role)
      }
    ),

    purge: purgeTrash(system.records, lockedTransaction, (ids) =>
      events.publish(SpacesPurged, { spaces: ids })
    )
  }
})

const makeSpaces = Effect.gen(function* () {
  return { ...(yield* makeReads), ...(yield* makeCreation), ...(yield* makeEdits), ...(yield* makeTrash) }
})

/** Operations on spaces: see {@link SpacesOperations}. */
export class Spaces extends Context.Service<Spaces, SpacesOperations>()("@lectern/core/Spaces") {
  static readonly layer: Layer.Layer<
    Spaces,
    never,
    Records | Access | Operations | Containers | SpaceCopies | TransactionEvents | Ids
  > = Layer.effect(Spaces, makeSpaces)
}
