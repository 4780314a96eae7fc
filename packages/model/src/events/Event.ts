/** Events, as the API and webhooks present them. */
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text } from "../schema/Text.ts"

/** The type of an event: a resource and what happened to it, as in `space.created`. */
export const EventType = Schema.String.check(
  Schema.isPattern(/^[a-zA-Z]{1,60}\.[a-zA-Z]{1,39}$/u, {
    message: "must be the type of an event, as in space.created"
  })
)

/** The position of an event: a whole number of at most 15 digits. */
export const EventCursor = Schema.String.check(
  Schema.isPattern(/^\d{1,15}$/u, { message: "must be the cursor of an event: at most 15 digits" })
)

/** A change of a resource that was committed. */
export class Event extends resource<Event>()(
  Schema.Struct({
    /** The type of the resource: always `event`. */
    object: Schema.Literal("event"),
    /** The id of the event: the same for each delivery of it. */
    id: Schema.String,
    /** The position of the event, for the parameter `after`. */
    cursor: Schema.String,
    /** The type of the event: a resource and what happened to it, as in `space.created`. */
    type: Schema.String,
    /** The version of the schema of `data`. */
    version: Schema.Int,
    /** The organization of the event. Absent for events of user accounts. */
    organization: Schema.optionalKey(OrganizationId),
    /** The operation that caused the change, as in `Spaces.create`. Absent for changes by background jobs. */
    operation: Schema.optionalKey(Schema.String),
    /** The id of the user who called the operation. Absent for changes by background jobs and by the operator. */
    actor: Schema.optionalKey(Schema.String),
    /** The time of the change. */
    createdAt: Timestamp,
    /** The resource after the change, or before it was deleted. Its fields depend on the type of the event. */
    data: Schema.Record(Schema.String, Schema.Unknown)
  }).annotate({ identifier: "Event" })
) {}

/** The filter and the start of a list of events. */
export class ListEvents extends resource<ListEvents>()(
  Schema.Struct({
    /**
     * Only events after this position: the `cursor` of an event. `0` by default, which starts with the oldest event
     * that is retained.
     */
    after: Schema.optionalKey(EventCursor),
    /**
     * Only events of these types, comma-separated, as in `space.created,space.updated`: at most 1000 characters. All
     * types by default.
     */
    types: Schema.optionalKey(text({ max: 1000 })),
    /** The maximum number of events: 0 to 1000, 50 by default. */
    limit: PageQuery.fields.limit
  })
) {}

/** Events in the order of their commits. */
export class EventList extends resource<EventList>()(
  Schema.Struct({
    /** The events, oldest first. */
    items: Schema.Array(Event),
    /** The position to continue from: the value of `after` of the next request, also if there are no events yet. */
    cursor: Schema.String,
    /** Whether further events exist already. */
    hasMore: Schema.Boolean
  }).annotate({ identifier: "EventList" })
) {}
