/** Records of the audit log: their tables, the resource, and the filter of lists. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { idSchema } from "../schema/Id.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { IsoDateTime, Timestamp, text } from "../schema/Text.ts"

/** The id of an audit record. */
export const AuditRecordId = idSchema("The id of an audit record.").pipe(Schema.brand("AuditRecordId"))

/** The id of an audit record. */
export type AuditRecordId = string & Brand.Brand<"AuditRecordId">

/** The outcome of a call: it was executed, or its caller was not permitted to execute it. */
export const AuditOutcome = Schema.Literals(["success", "denied"])

export type AuditOutcome = typeof AuditOutcome.Type

/** The kind of the caller of an operation. */
const AuditActorType = Schema.Literals(["user", "visitor", "operator", "external"])

/** The parts of a record that lists do not filter by. */
export interface AuditDetails {
  /** The kind of the caller, unless it is a user whom the record names. */
  readonly actorType?: "visitor" | "operator" | "external"
  /** The name of the integration that acted, or that the call acted on. */
  readonly integration?: string
  /** The session of the host. */
  readonly session?: string
  /** The SAML or OpenID Connect provider whose login issued the token or the session. */
  readonly samlProvider?: string
  /** The id of the HTTP request. */
  readonly requestId?: string
  /** The reason of a denial. */
  readonly reason?: string
  /** The number of earlier denials without a record of their own. */
  readonly suppressed?: number
  /** The context of the host. */
  readonly context?: { readonly [name: string]: string }
}

/** A resource that an operation was called on. */
const AuditedResource = Schema.Struct({
  /** The kind of the resource: the name of the parameter of the operation, as in `space` or `changeRequest`. */
  type: Schema.String,
  /** The id of the resource. For an invite, a fingerprint of the id, because the id of a link permits to join. */
  id: Schema.String
}).annotate({ identifier: "AuditedResource" })

/** A record of a call: who called which operation, on what, and with which outcome. */
export class AuditRecord extends resource<AuditRecord>()(
  Schema.Struct({
    /** The type of the resource: always `audit-record`. */
    object: Schema.Literal("audit-record"),
    /** The id of the record. Ids sort by the time of the record. */
    id: AuditRecordId,
    /** The organization of the record. Absent for calls outside of organizations. */
    organization: Schema.optionalKey(OrganizationId),
    /** The time of the call. */
    createdAt: Timestamp,
    /** The operation, as in `Spaces.create`. */
    operation: Schema.String,
    /** `success` if the call was executed, or `denied` if the caller was not permitted to execute it. */
    outcome: AuditOutcome,
    /**
     * The kind of the caller. An operator acts on the command line or in the host application. `external` is a member of
     * another organization: of the one that owns or has installed an integration of this organization.
     */
    actorType: AuditActorType,
    /**
     * The name of the integration that called the operation with a token of its installation, or that the call acted on.
     * Absent for other calls.
     */
    integration: Schema.optionalKey(Schema.String),
    /** The id of the user who called the operation. Absent for visitors, operators and members of other organizations. */
    actor: Schema.optionalKey(Schema.String),
    /** The id of the API token of the call. Absent if the call was not authenticated by a token. */
    token: Schema.optionalKey(Schema.String),
    /** The SAML or OpenID Connect provider whose login issued the token or the session. Absent for others. */
    samlProvider: Schema.optionalKey(Schema.String),
    /** The id of the session in the host application. Absent if the host names none. */
    session: Schema.optionalKey(Schema.String),
    /** The IP address of the client. Absent if it is unknown. */
    address: Schema.optionalKey(Schema.String),
    /** The id of the HTTP request, as in its log entry. Absent for calls that were not sent over HTTP. */
    requestId: Schema.optionalKey(Schema.String),
    /** The resources that the operation was called on, and that it has created. */
    resources: Schema.Array(AuditedResource),
    /** The reason of a denial, as in `RoleTooLow`. Absent for a success. */
    reason: Schema.optionalKey(Schema.String),
    /** How many earlier denials of the caller have no record, because they exceeded the limit. Absent if none. */
    suppressed: Schema.optionalKey(Schema.Int),
    /** The context that the host application has added. Absent if it has added none. */
    context: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
  }).annotate({ identifier: "AuditRecord" })
) {}

/** The filter and the page of a list of audit records. */
export class ListAuditRecords extends resource<ListAuditRecords>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Only records of this user: the id of the user, at most 100 characters. */
    actor: Schema.optionalKey(text({ max: 100 })),
    /** Only records of this operation, as in `Spaces.create`: at most 100 characters. */
    operation: Schema.optionalKey(text({ max: 100 })),
    /** Only records of this resource: its id, or its kind and its id, as in `space:<id>`; at most 200 characters. */
    resource: Schema.optionalKey(text({ max: 200 })),
    /** Only records with this outcome: `success` or `denied`. */
    outcome: Schema.optionalKey(AuditOutcome),
    /** Only records from this time on. */
    from: Schema.optionalKey(IsoDateTime),
    /** Only records before this time. */
    to: Schema.optionalKey(IsoDateTime)
  })
) {}

/** The reference of a record to the resource of a call. */
export const toResource = (text: string): typeof AuditedResource.Type => {
  const separator = text.indexOf(":")
  return { type: text.slice(0, separator), id: text.slice(separator + 1) }
}
