/** Operations on the audit log of an organization. */

import { type AccessError, Operations, type OperatorOperation, type Query } from "@lectern/access"
import {
  encodeMember,
  Ids,
  type ReadableRecords,
  readPage,
  type StorageUnavailable,
  Where
} from "@lectern/kernel"
import { type AuditRecordRow, auditRecords, presentAuditRecord } from "@lectern/kernel/tables"
import { type AuditRecord, AuditRecordId, ListAuditRecords } from "@lectern/model/audit"
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
  const { query, allow } = yield* Operations
  const administrate = allow.organization("administrate")

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
