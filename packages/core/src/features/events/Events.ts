/** Operations on the events of an organization. */

import { Access, type AccessError, CurrentUser, Operations, type Query } from "@lectern/access"
import { type EventFilter, EventLog, type StorageUnavailable } from "@lectern/kernel"
import { presentEvent } from "@lectern/kernel/tables"
import { Gone } from "@lectern/model/errors"
import {
  type AnnouncedChange,
  type Event,
  type EventList,
  FollowChanges,
  ListEvents
} from "@lectern/model/events"
import { OrganizationId } from "@lectern/model/organizations"
import { defaultLimit } from "@lectern/model/schema"
import { Context, Effect, Layer, Stream } from "effect"
import { makeMemberChanges } from "./memberChanges.ts"

/** The maximum number of events that are authorized together, and how long a stream collects them. */
const changeBatch = { size: 200, duration: "100 millis" } as const

/** The maximum number of events after the cursor of a stream of changes. Reading the resources again costs less. */
const maximumMissed = 1_000

/**
 * Operations on the events of an organization, on behalf of the `CurrentUser`. Events require the role `admin`, because
 * they contain resources that other members cannot see.
 */
export interface EventsOperations {
  /**
   * Lists events in the order of their commits, starting after a cursor. Fails with `Gone` if events after the cursor
   * were removed, because their retention has expired.
   */
  readonly list: Query<{ organization: OrganizationId; input?: ListEvents }, EventList, AccessError | Gone>
  /**
   * Returns a stream of the events after a cursor, which waits for further events. Without a cursor, it starts with
   * events that are committed from now on. `limit` is ignored.
   */
  readonly follow: Query<
    { organization: OrganizationId; input?: ListEvents },
    Stream.Stream<Event, Gone | StorageUnavailable>,
    AccessError
  >
  /**
   * Returns a stream of the changes that the member may learn of, in batches, after a cursor or from now on: the types of events and the
   * ids of resources that they can see. Access is checked for each batch; the stream fails once the user is not a member. Fails with `Gone` if
   * more than 1,000 events follow the cursor, or if some of them were removed: the member then reads the resources again.
   */
  readonly followChanges: Query<
    { organization: OrganizationId; input?: FollowChanges },
    Stream.Stream<ReadonlyArray<AnnouncedChange>, AccessError | Gone | StorageUnavailable>,
    AccessError | Gone
  >
}

const tooManyMissed = new Gone({
  reason: "RetentionExpired",
  message: `More than ${maximumMissed} events follow the cursor. Read the resources again, and follow without a cursor.`
})

const makeEvents = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const log = yield* EventLog
  const access = yield* Access

  const filterOf = (organization: OrganizationId, { types }: ListEvents): EventFilter =>
    types === undefined || types.trim() === ""
      ? { organization }
      : { organization, types: types.split(",").map((type) => type.trim()) }

  return {
    list: query(
      "Events.list",
      {
        parameters: { organization: OrganizationId, input: ListEvents },
        authorize: allow.organization("administrate")
      },
      function* ({ organization, input }) {
        const filter = filterOf(organization, input)
        const limit = input.limit ?? defaultLimit
        const after = Number(input.after ?? "0")
        const rows = yield* log.read(after, filter, limit + 1)
        const items = rows.slice(0, limit).map(presentEvent)
        const hasMore = rows.length > limit
        return { items, cursor: items.at(-1)?.cursor ?? String(after), hasMore }
      }
    ),

    follow: query(
      "Events.follow",
      {
        parameters: { organization: OrganizationId, input: ListEvents },
        authorize: allow.organization("administrate")
      },
      function* ({ organization, input }) {
        const filter = filterOf(organization, input)
        const start = input.after === undefined ? {} : { after: Number(input.after) }
        return Stream.map(log.stream({ ...filter, ...start }), presentEvent)
      }
    ),

    followChanges: query(
      "Events.followChanges",
      {
        parameters: { organization: OrganizationId, input: FollowChanges },
        authorize: allow.organization("list")
      },
      function* ({ organization, input }) {
        const user = yield* CurrentUser
        // Before anything else, so that the stream contains all changes after this call.
        const latest = yield* log.latest
        const after = Math.min(Number(input.after ?? latest), latest)
        if (latest - after > maximumMissed) return yield* tooManyMissed
        // Fails if events after the cursor were removed.
        yield* log.read(after, { organization }, 1)
        const { select } = yield* makeMemberChanges(access, organization)
        return log.stream({ organization, after }).pipe(
          Stream.groupedWithin(changeBatch.size, changeBatch.duration),
          Stream.mapEffect((rows) => Effect.provideService(select(rows), CurrentUser, user))
        )
      }
    )
  }
})

/** Operations on the events of an organization: see {@link EventsOperations}. */
export class Events extends Context.Service<Events, EventsOperations>()("@lectern/core/Events") {
  static readonly layer: Layer.Layer<Events, never, Operations | EventLog | Access> = Layer.effect(
    Events,
    makeEvents
  )
}
