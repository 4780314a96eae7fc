/** Operations on the audit log of an organization. */

import { type AccessError, Operations, type OperatorOperation, type Query } from "@lectern/access"
import {
  encodeMember,
  Ids,
  makeLinkBase,
  type ReadableRecords,
  readPage,
  type StorageUnavailable,
  Where
} from "@lectern/kernel"
import { type AuditRecordRow, auditRecords, presentAuditRecord } from "@lectern/kernel/tables"
import {
  type AuditEvent,
  type AuditEventActions,
  type AuditEventDetails,
  AuditEventId,
  type AuditRecord,
  AuditRecordId,
  auditEventActionsOf,
  auditEventDetailsOf,
  auditEventOf,
  ListAuditEvents,
  ListAuditRecords,
  recordPrefixOf
} from "@lectern/model/audit"
import { NotFound } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import type { Page } from "@lectern/model/schema"
import { Context, Effect, Layer, Option, Stream } from "effect"

/** Audit records in the order of their times. They are read while the stream is consumed. */
export type AuditRecordStream = Stream.Stream<AuditRecord, StorageUnavailable>

/** Operations on the audit log of an organization, on behalf of the `CurrentUser`. They require the role `admin`. */
export interface AuditLogOperations {
  /** Lists the records that match a filter, newest first. */
  readonly list: Query<
    { organization: OrganizationId; input?: ListAuditRecords },
    Page<AuditRecord>,
    AccessError
  >
  /**
   * Returns a stream of the records that match a filter, oldest first, except for the record of this call. `page` and
   * `limit` are ignored.
   */
  readonly export: Query<
    { organization: OrganizationId; input?: ListAuditRecords },
    AuditRecordStream,
    AccessError
  >
  /** Lists the records with a successful outcome as events of the public contract, newest first. */
  readonly listEvents: Query<
    { organization: OrganizationId; input?: ListAuditEvents },
    Page<AuditEvent>,
    AccessError
  >
  /** Returns the event of a record, or `NotFound`. */
  readonly getEvent: Query<
    { organization: OrganizationId; auditEvent: string },
    AuditEventDetails,
    AccessError
  >
  /** Returns the actions that events can have: the names of the operations whose calls are recorded. */
  readonly listEventActions: Query<{ organization: OrganizationId }, AuditEventActions, AccessError>
}

/** Operations of the operator on the audit log. They act for no user. */
export interface WorkspaceAuditLogOperations {
  /**
   * Returns a stream of the records of all organizations, or outside of organizations, that match a filter, oldest first,
   * except for the record of this call. `page` and `limit` are ignored.
   */
  readonly export: OperatorOperation<{ input?: ListAuditRecords }, AuditRecordStream>
  /** As `export`, for one organization. */
  readonly exportOrganization: OperatorOperation<
    { organization: OrganizationId; input?: ListAuditRecords },
    AuditRecordStream
  >
}

/** The number of records that one query of an export reads. */
const batchSize = 500

const matching = ({
  actor,
  operation,
  resource,
  outcome,
  from,
  to
}: ListAuditRecords): ReadonlyArray<Where.Where<AuditRecordRow>> => [
  ...(actor === undefined ? [] : [Where.eq<AuditRecordRow, "actor">("actor", actor)]),
  ...(operation === undefined ? [] : [Where.eq<AuditRecordRow, "operation">("operation", operation)]),
  ...(outcome === undefined ? [] : [Where.eq<AuditRecordRow, "outcome">("outcome", outcome)]),
  ...(resource === undefined
    ? []
    : [
        Where.contains<AuditRecordRow, "resources">(
          "resources",
          resource.includes(":") ? encodeMember(resource) : `:${JSON.stringify(resource).slice(1)}\n`
        )
      ]),
  ...(from === undefined ? [] : [Where.gte<AuditRecordRow, "createdAt">("createdAt", from)]),
  ...(to === undefined ? [] : [Where.lt<AuditRecordRow, "createdAt">("createdAt", to)])
]

/** Streams the records that match and exist already, oldest first. The record of the export is not among them. */
const streamRecords = (
  ids: Ids["Service"],
  records: ReadableRecords<typeof auditRecords>,
  conditions: ReadonlyArray<Where.Where<AuditRecordRow>>
): Effect.Effect<AuditRecordStream> =>
  Effect.map(ids.next, (next) => {
    const where = Where.and<AuditRecordRow>(...conditions, Where.lt("id", AuditRecordId.make(next)))
    return Stream.paginate<string | undefined, AuditRecord, StorageUnavailable>(undefined, (after) =>
      Effect.map(
        records.find(auditRecords, {
          where,
          limit: batchSize,
          ...(after === undefined ? {} : { after: [after] })
        }),
        (rows) => [
          rows.map(presentAuditRecord),
          rows.length < batchSize ? Option.none() : Option.some(rows.at(-1)!.id)
        ]
      )
    )
  })

const makeAuditLog = Effect.gen(function* () {
  const ids = yield* Ids
  const { query, allow, definitions } = yield* Operations
  const administrate = allow.organization("administrate")
  const linkBase = yield* makeLinkBase

  /** The records of an organization that are events. */
  const isEvent = (organization: OrganizationId) => [
    Where.eq<AuditRecordRow, "organization">("organization", organization),
    Where.eq<AuditRecordRow, "outcome">("outcome", "success")
  ]

  return {
    list: query(
      "AuditLog.list",
      { parameters: { organization: OrganizationId, input: ListAuditRecords }, authorize: administrate },
      function* ({ organization, input }, { records }) {
        const { page, limit, ...filter } = input
        return yield* readPage(records, input, {
          table: auditRecords,
          list: ["audit log", organization, filter],
          where: Where.and<AuditRecordRow>(Where.eq("organization", organization), ...matching(filter)),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => Effect.succeed(rows.map(presentAuditRecord))
        })
      }
    ),

    export: query(
      "AuditLog.export",
      {
        parameters: { organization: OrganizationId, input: ListAuditRecords },
        authorize: administrate,
        audited: true
      },
      function* ({ organization, input }, { records }) {
        return yield* streamRecords(ids, records, [
          Where.eq("organization", organization),
          ...matching(input)
        ])
      }
    ),

    listEvents: query(
      "AuditLog.listEvents",
      { parameters: { organization: OrganizationId, input: ListAuditEvents }, authorize: administrate },
      function* ({ organization, input: { action, target, to, ...input } }, { records }) {
        const { page, limit, ...range } = input
        const filter = {
          ...range,
          ...(action === undefined ? {} : { operation: action }),
          ...(target === undefined ? {} : { resource: target })
        }
        const base = yield* linkBase
        return yield* readPage(records, input, {
          table: auditRecords,
          list: ["audit events", organization, filter, to],
          where: Where.and<AuditRecordRow>(
            ...isEvent(organization),
            ...matching(filter),
            ...(to === undefined ? [] : [Where.lte<AuditRecordRow, "createdAt">("createdAt", to)])
          ),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => Effect.succeed(rows.map((row) => auditEventOf(base, presentAuditRecord(row))))
        })
      }
    ),

    getEvent: query(
      "AuditLog.getEvent",
      { parameters: { organization: OrganizationId, auditEvent: AuditEventId }, authorize: administrate },
      function* ({ organization, auditEvent }, { records }) {
        const prefix = recordPrefixOf(auditEvent)
        if (prefix === undefined) return yield* NotFound.of("event")
        const row = yield* records.first(auditRecords, {
          where: Where.and<AuditRecordRow>(...isEvent(organization), Where.startsWith("id", prefix))
        })
        if (row === undefined) return yield* NotFound.of("event")
        return auditEventDetailsOf(yield* linkBase, presentAuditRecord(row))
      }
    ),

    listEventActions: query(
      "AuditLog.listEventActions",
      { parameters: { organization: OrganizationId }, authorize: administrate },
      function* () {
        const recorded = definitions.filter(({ isAudited }) => isAudited).map(({ name }) => name)
        return yield* Effect.succeed(auditEventActionsOf(recorded))
      }
    )
  }
})

const makeWorkspaceAuditLog = Effect.gen(function* () {
  const ids = yield* Ids
  const { query, allow } = yield* Operations
  const operator = allow.operator("the audit log of the workspace")

  return {
    export: query(
      "WorkspaceAuditLog.export",
      { parameters: { input: ListAuditRecords }, authorize: operator, audited: true },
      function* ({ input }, { records }) {
        return yield* streamRecords(ids, records, matching(input))
      }
    ),

    exportOrganization: query(
      "WorkspaceAuditLog.exportOrganization",
      {
        parameters: { organization: OrganizationId, input: ListAuditRecords },
        authorize: operator,
        audited: true
      },
      function* ({ organization, input }, { records }) {
        return yield* streamRecords(ids, records, [
          Where.eq("organization", organization),
          ...matching(input)
        ])
      }
    )
  }
})

/** Operations on the audit log of an organization: see {@link AuditLogOperations}. */
export class AuditLog extends Context.Service<AuditLog, AuditLogOperations>()("@lectern/core/AuditLog") {
  static readonly layer: Layer.Layer<AuditLog, never, Operations | Ids> = Layer.effect(AuditLog, makeAuditLog)
}

/** Operations of the operator on the audit log: see {@link WorkspaceAuditLogOperations}. */
export class WorkspaceAuditLog extends Context.Service<WorkspaceAuditLog, WorkspaceAuditLogOperations>()(
  "@lectern/core/WorkspaceAuditLog"
) {
  static readonly layer: Layer.Layer<WorkspaceAuditLog, never, Operations | Ids> = Layer.effect(
    WorkspaceAuditLog,
    makeWorkspaceAuditLog
  )
}
