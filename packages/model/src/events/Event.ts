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

/**
 * A change that a member may learn of, without its data: a window that displays the resource refreshes it. The stream of
 * changes has no other guarantee than that.
 */
export class AnnouncedChange extends resource<AnnouncedChange>()(
  Schema.Struct({
    /** The type of the resource: always `change`. */
    object: Schema.Literal("change"),
    /** The position of the change, for the parameter `after`. */
    cursor: Schema.String,
    /**
     * The type of the event: a resource and what happened to it, as in `space.created`. `access.updated` if the spaces and
     * collections that the caller can see are others than before.
     */
    type: Schema.String,
    /** The organization of the change. */
    organization: OrganizationId,
    /** The id of the user who caused the change. Absent for changes by background jobs and by the operator. */
    actor: Schema.optionalKey(Schema.String),
    /** The time of the change. */
    createdAt: Timestamp,
    /** The ids of the resource and of the resources that contain it, such as `id` and `space`. */
    data: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Number]))
  }).annotate({ identifier: "AnnouncedChange" })
) {}

/** Returns the change that announces that a member can see other spaces or collections than before. */
export const accessUpdated = (
  organization: OrganizationId,
  cursor: string,
  createdAt: string
): AnnouncedChange => ({
  object: "change",
  cursor,
  type: "access.updated",
  organization,
  createdAt,
  data: {}
})

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

/** The start of a stream of changes. */
export class FollowChanges extends resource<FollowChanges>()(
  Schema.Struct({
    /** Only changes after this position: the `cursor` of a change, or the header `Event-Position` of `GET /v1/user`. From now on by default. */
    after: Schema.optionalKey(EventCursor)
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
