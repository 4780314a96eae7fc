/** Changes of an organization in the form of the public contract: the records of the audit log with a successful outcome. */
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { IsoDateTime, Timestamp, text } from "../schema/Text.ts"
import type { AuditRecord } from "./AuditRecord.ts"

/** The characters of the ids of records, by their values. */
const digits = "0123456789abcdefghjkmnpqrstvwxyz"

/** The number of characters of an id that its UUID contains: of 128 bits, 125. The others are random. */
const prefixLength = 25

/** The id of an audit event: the first 125 bits of the id of the record, as a UUID. */
export const AuditEventId = idSchema("The id of an audit event: a UUID.")

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu

/** Returns the id of the event of a record. */
export const auditEventIdOf = (record: string): string => {
  let bits = 0n
  for (let index = 0; index < prefixLength; index++)
    bits = bits * 32n + BigInt(Math.max(digits.indexOf(record[index] ?? "0"), 0))
  const hex = (bits << 3n).toString(16).padStart(32, "0")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}

/** Returns the beginning of the id of the record of an event, which no other record has; undefined for another id. */
export const recordPrefixOf = (event: string): string | undefined => {
  if (!uuid.test(event)) return undefined
  let bits = BigInt(`0x${event.replaceAll("-", "")}`) >> 3n
  let prefix = ""
  for (let index = 0; index < prefixLength; index++) {
    prefix = digits[Number(bits % 32n)]! + prefix
    bits /= 32n
  }
  return prefix
}

const event = {
  /** The type of the resource: always `audit-event`. */
  object: Schema.Literal("audit-event"),
  /** The id of the event. */
  id: AuditEventId,
  /** When the call was executed. */
  occurredAt: Timestamp,
  /** The operation, as in `Spaces.create`. */
  action: Schema.String,
  /** Who called the operation. */
  actor: Schema.Struct({
    /** The kind: `user`; `installation` for an integration; `system` for an operator or a visitor. */
    type: Schema.Literals(["user", "integration", "installation", "system", "support"]),
    /** The id of the user, the name of the integration, or the kind of the caller. */
    id: Schema.String
  }),
  /** How the operation was called: with an API token (`api`), in the application (`ui`), by an integration, or by an operator (`script`). */
  source: Schema.Literals(["ui", "api", "integration", "webhook", "workflow", "script", "support"]),
  /** The resource that was changed. */
  target: Schema.Struct({
    /** The kind of the resource, as in `space`. */
    type: Schema.String,
    /** The id of the resource. */
    id: Schema.String
  }),
  /** The URLs of the event. */
  urls: Schema.Struct({
    /** The URL of the event in the API. */
    location: Schema.String
  })
}

/** A change of an organization. */
export class AuditEvent extends resource<AuditEvent>()(
  Schema.Struct(event).annotate({ identifier: "AuditEvent" })
) {}

/** A change of an organization, with its details. */
export class AuditEventDetails extends resource<AuditEventDetails>()(
  Schema.Struct({
    ...event,
    /** The id of the HTTP request; absent for calls that were not sent over HTTP. */
    correlationId: Schema.optionalKey(Schema.String),
    /** The version of the payload: always 1. */
    schemaVersion: Schema.Int,
    /** The fields of the record of the audit log. */
    payload: Schema.Record(Schema.String, Schema.Unknown)
  }).annotate({ identifier: "AuditEventDetails" })
) {}

/** An action that audit events can have. */
export class AuditEventAction extends resource<AuditEventAction>()(
  Schema.Struct({
    /** The type of the resource: always `audit-event-action`. */
    object: Schema.Literal("audit-event-action"),
    /** The action, as in `Spaces.create`. */
    id: Schema.String,
    /** The action in words. */
    label: Schema.String
  }).annotate({ identifier: "AuditEventAction" })
) {}

/** The actions that audit events can have. */
export class AuditEventActions extends resource<AuditEventActions>()(
  Schema.Struct({
    /** The actions, in alphabetical order. */
    items: Schema.Array(AuditEventAction)
  }).annotate({ identifier: "AuditEventActions" })
) {}

/** The filter and the page of a list of audit events. */
export class ListAuditEvents extends resource<ListAuditEvents>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Only events at this time or later. */
    from: Schema.optionalKey(IsoDateTime),
    /** Only events at this time or earlier. */
    to: Schema.optionalKey(IsoDateTime),
    /** Only events with this action: at most 100 characters. */
    action: Schema.optionalKey(text({ max: 100 })),
    /** Only events of this actor: the id of a user, at most 100 characters. */
    actor: Schema.optionalKey(text({ max: 100 })),
    /** Only events of calls on this resource: its id, at most 200 characters. */
    target: Schema.optionalKey(text({ max: 200 }))
  })
) {}

/** The kinds of resources that contain others, the outermost first. */
const containers = ["organization", "integration", "site", "space", "changeRequest"]

/** Returns the innermost resource of a record: one that contains no others, or the innermost container. */
const targetOf = ({ resources, organization }: AuditRecord): AuditEvent["target"] =>
  resources.toSorted(
    (one, other) =>
      Number(containers.includes(one.type)) - Number(containers.includes(other.type)) ||
      containers.indexOf(other.type) - containers.indexOf(one.type)
  )[0] ?? { type: "organization", id: organization ?? "" }

const actorOf = ({ actor, actorType, integration }: AuditRecord): AuditEvent["actor"] =>
  actor !== undefined
    ? { type: "user", id: actor }
    : actorType === "external"
      ? { type: "installation", id: integration ?? actorType }
      : { type: "system", id: actorType }

const sourceOf = ({ actorType, token }: AuditRecord): AuditEvent["source"] =>
  actorType === "operator"
    ? "script"
    : actorType === "external"
      ? "integration"
      : token === undefined
        ? "ui"
        : "api"

/** Returns the event of a record; `base` is the URL of the workspace. */
export const auditEventOf = (base: string, record: AuditRecord): AuditEvent => {
  const id = auditEventIdOf(record.id)
  return {
    object: "audit-event",
    id,
    occurredAt: record.createdAt,
    action: record.operation,
    actor: actorOf(record),
    source: sourceOf(record),
    target: targetOf(record),
    urls: { location: `${base}/v1/orgs/${record.organization ?? ""}/audit-events/${id}` }
  }
}

/** Returns the event of a record with its details. */
export const auditEventDetailsOf = (base: string, record: AuditRecord): AuditEventDetails => {
  const { object: _, id, createdAt, requestId, ...payload } = record
  return {
    ...auditEventOf(base, record),
    ...(requestId === undefined ? {} : { correlationId: requestId }),
    schemaVersion: 1,
    payload: { record: id, ...payload }
  }
}

const wordsOf = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase()

/** Returns the actions of operations, such as `Site spaces: add` of `SiteSpaces.add`. */
export const auditEventActionsOf = (operations: ReadonlyArray<string>): AuditEventActions => ({
  items: operations.toSorted().map((id) => {
    const [service = "", method = ""] = id.split(".").map(wordsOf)
    return {
      object: "audit-event-action",
      id,
      label: `${service.slice(0, 1).toUpperCase()}${service.slice(1)}: ${method}`
    }
  })
})
