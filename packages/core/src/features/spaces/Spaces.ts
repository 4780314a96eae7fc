/** What callers do with spaces. */
import { Clock, Context, Effect, Layer } from "effect"
import { Access, roleOn } from "../../access/Access.ts"
import { Conflict, Forbidden } from "../../kernel/errors.ts"
import { TransactionEvents } from "../../kernel/events/TransactionEvents.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Records, Where } from "../../kernel/storage/index.ts"
import { now, toTimestamp } from "../../kernel/time.ts"
import * as Placement from "../../model/collections/Placement.ts"
import { revisions } from "../../model/content/Revision.ts"
import { OrganizationId } from "../../model/organizations/Organization.ts"
import { grants } from "../../model/permissions/Permission.ts"
import { Move, Transfer } from "../../model/spaces/Move.ts"
import {
  CreateSpace,
  SpaceId,
  SpaceQuery,
  type SpaceRow,
  spaces,
  UpdateSpace
} from "../../model/spaces/Space.ts"
import { SpaceDuplicated, SpacesTransferred, SpacesTrashed } from "../../model/spaces/SpaceEvents.ts"
import {
  defaultTitle,
  retentionMillis,
  sameOrganization,
  titleOfCopy
} from "../../model/spaces/SpaceRules.ts"
import { urlByKey } from "../../views/sites/publishedSpaces.ts"
import { presentSpace } from "../../views/spaces/SpaceView.ts"
import { Containers } from "../collections/Containers.ts"
import * as Siblings from "../collections/Siblings.ts"
import { firstRevision, newRevision } from "../content/newRevision.ts"

const closedParent = new Forbidden({
  message: "You cannot create content where the space is, so there is no place for a copy."
})

const makeSpaces = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const containers = yield* Containers
  const ids = yield* Ids
  const events = yield* TransactionEvents
  const base = yield* PublicUrl

  const change = command(records)

  const store = Effect.fnUntraced(function* (before: SpaceRow, changes: Partial<SpaceRow>) {
    const { id, ...set } = changes
    const after = { ...before, ...set, updatedAt: yield* now }
    yield* records.update(spaces, Where.eq("id", before.id), { ...set, updatedAt: after.updatedAt })
    return after
  })

  return {
    /** The space; for those who show the key of a share link, with the address that it opens. */
    get: query([SpaceId, SpaceQuery], function* (id, { shareKey }) {
      const { space, role } = yield* access.space(id, "view")
      const url = shareKey === undefined ? undefined : yield* urlByKey(records, space, shareKey)
      const published = url === undefined ? space.published : { visibility: "share-link" as const, url }
      return presentSpace(base, { ...space, published }, role)
    }),

    /** The spaces of an organization that the caller may see, newest first. */
    list: query([OrganizationId, PageQuery], function* (organization, page) {
      const caller = yield* access.organization(organization, "list")
      const visible = yield* access.visible(caller)
      return yield* readPage(records, page, {
        table: spaces,
        list: ["spaces", organization],
        where: Where.and<SpaceRow>(
          Where.eq("organization", organization),
          Where.isNull("deletedAt"),
          visible
        ),
        orderBy: ["id"],
        direction: "desc",
        present: (rows) => Effect.succeed(rows.map((row) => presentSpace(base, row, roleOn(caller, row))))
      })
    }),

    /** Makes a space at the end of its parent: a collection, or the root of the organization. */
    create: change([OrganizationId, CreateSpace], function* (organization, input) {
      const { caller, container } = yield* containers.open(organization, input.parent ?? null)
      const time = yield* now
      const id = SpaceId.make(yield* ids.next)
      const revision = yield* firstRevision(ids, { space: id, author: caller.user, createdAt: time })
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
        revision: revision.id,
        comments: 0,
        changeRequests: 0,
        changeRequestsOpen: 0,
        changeRequestsDraft: 0,
        createdAt: time,
        updatedAt: time,
        deletedAt: null,
        published: null
      }
      yield* records.insert(spaces, row)
      yield* records.insert(revisions, revision)
      return presentSpace(base, row, roleOn(caller, row))
    }),

    /** Changes what is given: the title and the emoji need another role than the edit mode and the default level. */
    update: change([SpaceId, UpdateSpace], function* (id, input) {
      const configures = input.editMode !== undefined || input.defaultLevel !== undefined
      const { space, caller } = yield* access.space(id, configures ? "configure" : "rename")
      const container = input.defaultLevel === undefined ? undefined : yield* containers.above(space)
      const after = yield* store(space, {
        ...(input.title === undefined ? {} : { title: input.title }),
        ...(input.emoji === undefined ? {} : { emoji: input.emoji }),
        ...(input.icon === undefined ? {} : { icon: input.icon }),
        ...(input.editMode === undefined ? {} : { editMode: input.editMode }),
        ...(input.defaultLevel === undefined
          ? {}
          : { defaultLevel: input.defaultLevel, level: Placement.levelIn(container, input.defaultLevel) })
      })
      return presentSpace(base, after, roleOn(caller, after))
    }),

    /** Takes the space off its sites, and puts it into the bin, from where it can be restored for 7 days. */
    remove: change([SpaceId], function* (id) {
      const { space } = yield* access.space(id, "remove")
      yield* events.publish(SpacesTrashed, { spaces: [id] })
      yield* store(space, { deletedAt: yield* now })
    }),

    /** Takes the space out of the bin, to where it was. */
    restore: change([SpaceId], function* (id) {
      const { space, role } = yield* access.space(id, "restore")
      if (space.deletedAt === null) return yield* new Conflict({ message: "The space is not deleted." })
      return presentSpace(base, yield* store(space, { deletedAt: null }), role)
    }),

    /**
     * Copies the space, right behind itself: its settings and its content, which the two share until either changes;
     * without comments, change requests and grants. The copy is found by searches once a job has gone through it.
     */
    duplicate: change([SpaceId], function* (id) {
      const { space, caller } = yield* access.space(id, "duplicate")
      // Whoever sees the space knows where it is, though they may not see more of it.
      yield* containers
        .open(space.organization, space.parent)
        .pipe(Effect.catchTag("NotFound", () => Effect.fail(closedParent)))
      const time = yield* now
      const copy = SpaceId.make(yield* ids.next)
      const { root, git } = (yield* records.get(revisions, { id: space.revision }))!
      const revision = yield* newRevision(ids, {
        ...{ space: copy, type: "edits", root, git, parents: [] },
        author: caller.user,
        createdAt: time
      })
      const row: SpaceRow = {
        ...space,
        id: copy,
        published: null,
        title: titleOfCopy(space.title),
        position: yield* Siblings.keyAfter(records, space),
        revision: revision.id,
        comments: 0,
        changeRequests: 0,
        changeRequestsOpen: 0,
        changeRequestsDraft: 0,
        createdAt: time,
        updatedAt: time
      }
      yield* records.insert(spaces, row)
      yield* records.insert(revisions, revision)
      yield* events.publish(SpaceDuplicated, { copy })
      return presentSpace(base, row, roleOn(caller, row))
    }),

    /** Moves the space to another parent, another place among its siblings, or both. */
    move: change([SpaceId, Move], function* (id, input) {
      const { space, caller } = yield* access.space(id, "move")
      const parent = input.parent === undefined ? space.parent : input.parent
      const container =
        parent === space.parent
          ? yield* containers.above(space)
          : (yield* containers.open(space.organization, parent)).container
      const target = { organization: space.organization, parent }
      const after = yield* store(space, {
        parent,
        position: yield* Siblings.keyAt(records, caller, target, input.position, space.id),
        path: Placement.pathIn(container),
        level: Placement.levelIn(container, space.defaultLevel)
      })
      return presentSpace(base, after, roleOn(caller, after))
    }),

    /** Hands the space to another organization, at the end of its root. Its grants and its places on sites go. */
    transfer: change([SpaceId, Transfer], function* (id, { organization }) {
      const { space } = yield* access.space(id, "transfer")
      if (organization === space.organization) return yield* sameOrganization
      const caller = yield* containers.receive(organization)
      yield* records.remove(grants, Where.eq("target", space.id))
      yield* events.publish(SpacesTransferred, { spaces: [id] })
      const after = yield* store(space, {
        organization,
        published: null,
        parent: null,
        position: yield* Siblings.keyAtEnd(records, { organization, parent: null }),
        path: Placement.pathIn(undefined),
        level: Placement.levelIn(undefined, space.defaultLevel)
      })
      return presentSpace(base, after, roleOn(caller, after))
    }),

    /**
     * Removes for good what was deleted 7 days ago or longer, with everything that belongs to it, and answers how
     * many spaces that were. It acts for nobody: it is housekeeping.
     */
    purge: Effect.gen(function* () {
      const last = toTimestamp((yield* Clock.currentTimeMillis) - retentionMillis)
      const expired = Where.lte<SpaceRow, "deletedAt">("deletedAt", last)
      yield* records.remove(grants, Where.inSelect("target", spaces, "id", expired))
      return yield* records.remove(spaces, expired)
    }).pipe(records.transaction)
  }
})

/** See the module's comment. */
export class Spaces extends Context.Service<Spaces, Effect.Success<typeof makeSpaces>>()(
  "@lectern/core/Spaces"
) {
  static readonly layer: Layer.Layer<Spaces, never, Records | Access | Containers | TransactionEvents | Ids> =
    Layer.effect(Spaces, makeSpaces)
}
