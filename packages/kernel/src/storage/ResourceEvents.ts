/**
 * The events of resources, as data. A declaration connects a resource with its table: every committed change of a row is
 * one event, whose data is the resource after the change.
 */
import { Context, type Schema } from "effect"
import type { AnyTable, Row } from "./Table.ts"

/** The kinds of changes. Declarations add others, such as `published`. */
export type ChangeAction = "created" | "updated" | "deleted"

/** The schema of the data of events: an object with a field per column. */
export interface EventData extends Schema.Top {
  /** The schemas of its fields. */
  readonly fields: Schema.Struct.Fields
}

/** The events of a resource. Create it with {@link resourceEvents}. */
export interface ResourceEvents<Name extends string, Data extends EventData, Action extends string> {
  /** The name of the resource: the first part of the types of its events, as in `space.created`. */
  readonly resource: Name
  /** Describes the resource, for the reference of events. */
  readonly description: string
  /** The version of the schema of the data. It changes when consumers must change. */
  readonly version: number
  /** The table whose rows are the resource. */
  readonly table: AnyTable
  /** The schema of the data. */
  readonly data: Data
  /** The actions that updates of columns can have instead of `updated`. */
  readonly actions: ReadonlyArray<Action>
  /** The column that usually has the user who caused the change, which is stored once; undefined if no column has. */
  readonly actorColumn?: string | undefined
  /**
   * The column with the key of another row of the resource, whose event a new row replaces: it is removed from the log. The removal
   * of a row that `isReplaced` matches is not an event. Undefined if rows replace no others.
   */
  readonly replacesColumn?: string | undefined
  /** Whether another row has replaced a row. */
  readonly isReplaced: (row: { readonly [column: string]: unknown }) => boolean
  /** Returns the action of an update by the new values of its columns, or undefined for `updated`. */
  readonly actionOf: (set: { readonly [column: string]: unknown }) => string | undefined
}

/** The events of any resource, for code that composes them. */
export type AnyResourceEvents = ResourceEvents<string, EventData, string>

/** `Data`, if each of its fields is a column of the table and accepts its values. */
type DataOf<T extends AnyTable, Data extends EventData> =
  Pick<Row<T>, keyof Data["Type"] & keyof Row<T>> extends Data["Type"] ? Data : never

/**
 * Declares the events of a resource. `data` has a schema for each column that events contain: never a secret, and no
 * column that changes without a change of the resource, such as a counter. An update that changes none of these columns
 * is not recorded.
 *
 * @example
 * const teamEvents = resourceEvents("team", "A team of an organization.", teams, {
 *   data: TeamEventData
 * })
 */
export const resourceEvents = <
  const Name extends string,
  T extends AnyTable,
  Data extends EventData,
  const Action extends string = never
>(
  resource: Name,
  description: string,
  table: T,
  options: {
    readonly data: DataOf<T, Data>
    /** Returns the action of an update by the new values of its columns, or undefined for `updated`. */
    readonly actionOf?: (set: Partial<Row<T>>) => Action | undefined
    /** The actions that `actionOf` returns. */
    readonly actions?: ReadonlyArray<Action>
    /** The column that usually has the user who caused the change. None by default. */
    readonly actorColumn?: keyof Data["fields"] & string
    /** The column with the key of the row whose event a new row replaces. None by default. */
    readonly replacesColumn?: keyof Data["fields"] & string
    /** Whether another row has replaced a row, so that its removal is not an event. None by default. */
    readonly isReplaced?: (row: Row<T>) => boolean
  }
): ResourceEvents<Name, Data, Action> => ({
  resource,
  description,
  version: 1,
  table,
  data: options.data,
  actions: options.actions ?? [],
  actorColumn: options.actorColumn,
  replacesColumn: options.replacesColumn,
  isReplaced: (row) => options.isReplaced?.(row as Row<T>) ?? false,
  actionOf: (set) => options.actionOf?.(set as Partial<Row<T>>)
})

/** The value that a field of an event has if it is not stored. */
const impliedValue = ({ actorColumn }: AnyResourceEvents, field: string, actor: string | null) =>
  field === actorColumn ? actor : null

/** Returns the data of an event as it is stored: without the fields that are null, or that have its actor. */
export const encodeEventData = (
  source: AnyResourceEvents,
  row: Row<AnyTable>,
  actor: string | null
): { readonly [field: string]: unknown } =>
  Object.fromEntries(
    Object.keys(source.data.fields)
      .filter((field) => row[field] !== impliedValue(source, field, actor))
      .map((field) => [field, row[field]])
  )

/** Returns the complete data of a stored event. */
export const decodeEventData = (
  source: AnyResourceEvents,
  data: { readonly [field: string]: unknown },
  actor: string | null
): { readonly [field: string]: unknown } => {
  const fields = Object.keys(source.data.fields)
  const isStored = (field: string) => Object.hasOwn(data, field)
  return fields.every(isStored)
    ? data
    : {
        ...Object.fromEntries(
          fields.map((field) => [field, isStored(field) ? data[field] : impliedValue(source, field, actor)])
        ),
        // Fields that the resource had when the event was recorded.
        ...data
      }
}

/** The types of the events of a resource, as in `space.created`. */
export type EventTypeOf<E extends AnyResourceEvents> = E extends AnyResourceEvents
  ? `${E["resource"]}.${ChangeAction | E["actions"][number]}`
  : never

/** Returns the types of the events of a resource, as in `space.created`. */
export const eventTypesOf = ({ resource, actions }: AnyResourceEvents): ReadonlyArray<string> =>
  ["created", "updated", ...actions, "deleted"].map((action) => `${resource}.${action}`)

/** The resources whose changes are recorded as events; none by default. It is read when the workspace is built. */
export const RecordedResources = Context.Reference<ReadonlyArray<AnyResourceEvents>>(
  "@lectern/core/RecordedResources",
  { defaultValue: () => [] }
)

/** The cause of a change: the operation that caused it. */
export interface EventCause {
  /** The name of the operation, as in `Spaces.create`. */
  readonly operation: string
  /** The id of the user who calls it; undefined for an operator. */
  readonly actor: string | undefined
  /** The organization that the call was authorized for. */
  organization: string | undefined
}

/** The cause of the changes of a fiber; undefined outside of operations, as in background jobs. */
export const CurrentCause = Context.Reference<EventCause | undefined>("@lectern/core/CurrentCause", {
  defaultValue: () => undefined
})

/**
 * How long events can be replayed, in milliseconds; 30 days by default. 0 records no events: subscriptions and webhooks
 * receive none. It is read when the workspace is built.
 */
export const EventRetention = Context.Reference<number>("@lectern/core/EventRetention", {
  defaultValue: () => 30 * 24 * 60 * 60 * 1_000
})
