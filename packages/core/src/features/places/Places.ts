/** Operations on the favorites and recent pages of a user. */

import {
  Access,
  type AccessError,
  type Command,
  type GrantedReader,
  type GrantedRecords,
  Locks,
  Operations,
  type Query
} from "@lectern/access"
import { readTree } from "@lectern/content"
import { now, Where } from "@lectern/kernel"
import { type PlaceRow, places, revisions, type SpaceRow, spaces } from "@lectern/kernel/tables"
import type { PageId } from "@lectern/model/content"
import { InvalidInput } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import {
  ListPlaces,
  maximumFavorites,
  maximumRecentPages,
  type PlaceKind,
  type PlaceList,
  PutFavorite,
  RecordRecentPage
} from "@lectern/model/places"
import { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import { ContentStore } from "../content/ContentStore.ts"
import type { SpaceError } from "../spaces/Spaces.ts"
import { presentPlaces } from "./presentPlaces.ts"

/**
 * Operations on the favorites and recent pages of the `CurrentUser`. No other user can see or change them. They fail with
 * `NotFound` for a space that the caller cannot see, and with `InvalidInput` for a page that it does not have.
 */
export interface PlacesOperations {
  /** Lists the favorites or the recent pages in an organization that the caller can see now, the last one first. */
  readonly list: Query<{ organization: OrganizationId; input: ListPlaces }, PlaceList, AccessError>
  /** Adds a space or a page to the favorites, or removes it. Fails with `InvalidInput` beyond 100 favorites. */
  readonly putFavorite: Command<{ space: SpaceId; input: PutFavorite }, void, SpaceError>
  /** Records that the user has opened a page. The last 30 pages remain. */
  readonly recordRecentPage: Command<{ space: SpaceId; input: RecordRecentPage }, void, SpaceError>
}

type Owner = Pick<PlaceRow, "organization" | "user">

const ofKind = ({ organization, user }: Owner, kind: PlaceKind): Where.Where<PlaceRow> =>
  Where.and<PlaceRow>(Where.eq("organization", organization), Where.eq("user", user), Where.eq("kind", kind))

const isPlace = (row: Omit<PlaceRow, "at">): Where.Where<PlaceRow> =>
  Where.and<PlaceRow>(ofKind(row, row.kind), Where.eq("space", row.space), Where.eq("page", row.page))

/** Stores a place, as the last one of its kind. */
const store = Effect.fnUntraced(function* (records: GrantedRecords, row: Omit<PlaceRow, "at">) {
  const at = yield* now
  yield* records.insertMissing(places, [{ ...row, at }])
  yield* records.update(places, isPlace(row), { at })
})

const makePlaces = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const access = yield* Access
  const { maps } = yield* ContentStore

  /** Fails with `InvalidInput` if the current content of a space does not have a page. */
  const requirePage = Effect.fnUntraced(function* (records: GrantedReader, space: SpaceRow, page: PageId) {
    const revision = yield* records.get(revisions, { id: space.revision }, ["root"])
    const found = revision === undefined ? undefined : yield* readTree(maps, revision.root).page(page)
    if (found === undefined) return yield* InvalidInput.at("page", "must be the id of a page of the space")
  })

  return {
    list: query(
      "Places.list",
      {
        parameters: { organization: OrganizationId, input: ListPlaces },
        authorize: allow.organization("list")
      },
      function* ({ organization, input: { kind } }, { caller, records }) {
        const limit = kind === "favorite" ? maximumFavorites : maximumRecentPages
        const rows = yield* records.find(places, {
          where: ofKind({ organization, user: caller.user }, kind),
          orderBy: ["at"],
          direction: "desc",
          limit
        })
        const visible = yield* records.find(spaces, {
          where: Where.and<SpaceRow>(
            Where.eq("organization", organization),
            Where.isNull("deletedAt"),
            Where.isIn("id", [...new Set(rows.map(({ space }) => space))]),
            yield* access.whereVisible(caller)
          )
        })
        return { items: yield* presentPlaces(maps, records, rows, visible) }
      }
    ),

    putFavorite: command(
      "Places.putFavorite",
      {
        parameters: { space: SpaceId, input: PutFavorite },
        authorize: allow.space("read"),
        locks: Locks.places
      },
      function* ({ input: { page, favorite } }, { space, caller, records }) {
        const owner = { organization: space.organization, user: caller.user }
        const place = { ...owner, kind: "favorite" as const, space: space.id, page: page ?? ("" as const) }
        if (!favorite) {
          yield* records.remove(places, isPlace(place))
          return
        }
        if (page !== undefined) yield* requirePage(records, space, page)
        const others = yield* records.count(places, ofKind(owner, "favorite"))
        if (others >= maximumFavorites) {
          return yield* InvalidInput.at(
            "favorite",
            `must be false: you have ${maximumFavorites} favorites in this organization. Remove one first`
          )
        }
        yield* store(records, place)
      }
    ),

    recordRecentPage: command(
      "Places.recordRecentPage",
      {
        parameters: { space: SpaceId, input: RecordRecentPage },
        authorize: allow.space("read"),
        locks: Locks.places
      },
      function* ({ input: { page } }, { space, caller, records }) {
        yield* requirePage(records, space, page)
        const owner = { organization: space.organization, user: caller.user }
        yield* store(records, { ...owner, kind: "recent", space: space.id, page })
        const [oldest] = (yield* records.find(places, {
          where: ofKind(owner, "recent"),
          select: ["at"],
          orderBy: ["at"],
          direction: "desc",
          limit: maximumRecentPages + 1
        })).slice(maximumRecentPages)
        if (oldest !== undefined) {
          yield* records.remove(
            places,
            Where.and<PlaceRow>(ofKind(owner, "recent"), Where.lte("at", oldest.at))
          )
        }
      }
    )
  }
})

/** Operations on the favorites and recent pages of a user: see {@link PlacesOperations}. */
export class Places extends Context.Service<Places, PlacesOperations>()("@lectern/core/Places") {
  static readonly layer: Layer.Layer<Places, never, Operations | Access | ContentStore> = Layer.effect(
    Places,
    makePlaces
  )
}
