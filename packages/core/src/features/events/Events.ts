/** Operations on the events of an organization. */

import type { Gone } from "@lectern/model/errors"
import { type Event, type EventList, ListEvents } from "@lectern/model/events"
import { OrganizationId } from "@lectern/model/organizations"
import { defaultLimit } from "@lectern/model/schema"
import { Context, Effect, Layer, Stream } from "effect"
import type { AccessError, Query } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import { type EventFilter, EventLog } from "../../kernel/events/EventLog.ts"
import type { StorageUnavailable } from "../../kernel/storage/index.ts"
import { presentEvent } from "../../tables/events/eventRows.ts"

/**
 * Operations on the events of an organization, on behalf of the `CurrentUser`. They require the role `admin`, because
 * events contain resources that other members cannot see.
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
}

const makeEvents = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const log = yield* EventLog

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
    )
  }
})

/** Operations on the events of an organization: see {@link EventsOperations}. */
export class Events extends Context.Service<Events, EventsOperations>()("@lectern/core/Events") {
  static readonly layer: Layer.Layer<Events, never, Operations | EventLog> = Layer.effect(Events, makeEvents)
}
