/**
 * Removes organizations whose time in the trash has ended, with all of their rows, in batches.
 *
 * The rows are found by the declarations of the tables: rows that refer to the organization, directly or by other rows, and rows with
 * its id in the column `organization`. Rows that refer to others are removed first, so that no statement removes more than a batch by
 * a cascade. A purge that is interrupted continues with the rows that are left. The blobs that no other organization uses are
 * collected as garbage after that.
 */

import { type GrantedRecords, Locks, SystemGrant } from "@lectern/access"
import {
  events,
  outboxEvents,
  type PlainRow,
  Records,
  RecordsAdapter,
  retryConflicts,
  StorageUnavailable,
  type Table,
  tenantSourceOf,
  toTimestamp,
  Where,
  type WriteError,
  whereKeys
} from "@lectern/kernel"
import {
  type AuditRecordRow,
  auditRecords,
  integrations,
  type OrganizationRow,
  organizations,
  webhookDeliveries,
  webhooks
} from "@lectern/kernel/tables"
import { type OrganizationId, organizationRetentionMillis } from "@lectern/model/organizations"
import { Clock, Context, Effect, Layer } from "effect"
import { makeTraceRemoval } from "./organizationTraces.ts"

type Adapter = RecordsAdapter["Service"]

/** The maximum number of rows that one statement removes. */
export const purgeBatchSize = 200

/**
 * The tables whose rows of an organization remain until their retention ends. Consumers read the log of events by numbers without gaps
 * at its start, and the event of the removal reports it to them.
 */
const retainedTables: ReadonlySet<string> = new Set([events.name, outboxEvents.name])

/** The calls that are evidence of a removal: the audit record of the last one remains until the retention of the audit log ends. */
const evidence: ReadonlyArray<string> = ["Organizations.remove", "Administration.removeOrganization"]

/** A column that refers to the rows of another table. */
interface Referrer {
  readonly table: Table.AnyTable
  readonly column: string
}

/** References that tables do not declare: a delivery is inserted without the lock of its webhook. */
const undeclaredReferences = [
  { to: integrations.name, table: webhookDeliveries, column: "integration" },
  { to: webhooks.name, table: webhookDeliveries, column: "webhook" }
]

/** Returns the columns that refer to each table, by its name. Later tables come first: earlier ones do not refer to them. */
const referrersOf = (tables: ReadonlyArray<Table.AnyTable>): ReadonlyMap<string, ReadonlyArray<Referrer>> => {
  const all = tables
    .toReversed()
    .flatMap((table) =>
      Object.entries(table.references).flatMap(([column, reference]) =>
        reference === undefined ? [] : [{ to: reference.table().name, table, column }]
      )
    )
  return Map.groupBy<string, { readonly to: string } & Referrer>(
    [...undeclaredReferences, ...all],
    ({ to }) => to
  )
}

/** Returns the conditions on the rows that have the id of an organization in a column, and are found by no reference. */
const namingConditions = (
  tables: ReadonlyArray<Table.AnyTable>,
  organization: OrganizationId
): ReadonlyArray<readonly [Table.AnyTable, Where.AnyWhere]> =>
  tables.flatMap((table): ReadonlyArray<readonly [Table.AnyTable, Where.AnyWhere]> => {
    if (!Object.hasOwn(table.columns, "organization") || retainedTables.has(table.name)) return []
    if (table.references.organization !== undefined || tenantSourceOf(table) !== undefined) return []
    // The audit records are removed last.
    if (table.name === auditRecords.name) return []
    return [[table, { op: "eq", column: "organization", value: organization }]]
  })

/** Creates the functions that remove rows by the declarations of their tables. */
const makeRemoval = (adapter: Adapter, tables: ReadonlyArray<Table.AnyTable>) => {
  const referrers = referrersOf(tables)

  /** Removes the rows that match, in batches, after the rows that refer to them. */
  const removeWhere = Effect.fnUntraced(function* (
    table: Table.AnyTable,
    where: Where.AnyWhere
  ): Effect.fn.Return<void, WriteError> {
    for (;;) {
      const keys = yield* adapter.find(table, {
        where,
        orderBy: [],
        direction: "asc",
        limit: purgeBatchSize,
        select: table.key
      })
      if (keys.length === 0) return
      yield* removeReferring(table, keys)
      yield* retryConflicts(adapter.remove(table, whereKeys(table, keys)))
      // A store in this process is synchronous.
      yield* Effect.yieldNow
    }
  })

  /** Removes the rows that refer to these rows. */
  const removeReferring = (
    table: Table.AnyTable,
    keys: ReadonlyArray<PlainRow>
  ): Effect.Effect<void, WriteError> =>
    Effect.forEach(
      referrers.get(table.name) ?? [],
      (referrer) =>
        removeWhere(referrer.table, {
          op: "in",
          column: referrer.column,
          values: keys.map((key) => key[table.key[0]!] as Where.Scalar)
        }),
      { discard: true }
    )

  return { removeWhere, removeReferring }
}

/** Returns the condition for organizations whose time in the trash has ended, or whose removal has started. */
const isDue = Effect.map(Clock.currentTimeMillis, (millis) =>
  Where.and<OrganizationRow>(
    Where.not(Where.isNull("deletedAt")),
    Where.or<OrganizationRow>(
      Where.eq("isPurging", true),
      Where.lte("deletedAt", toTimestamp(millis - organizationRetentionMillis))
    )
  )
)

const makePurge = Effect.fnUntraced(function* (tables: ReadonlyArray<Table.AnyTable>) {
  const adapter = yield* RecordsAdapter
  const { lockedTransaction } = yield* Records
  const { records }: { readonly records: GrantedRecords } = yield* SystemGrant.make(
    "Removes organizations whose time in the trash has ended."
  )
  const { removeWhere, removeReferring } = makeRemoval(adapter, tables)
  const { removeJobs, forgetExclusions } = makeTraceRemoval(adapter, tables)

  /** Removes the audit records, except the one of the deletion. */
  const removeAuditRecords = Effect.fnUntraced(function* (
    organization: OrganizationId
  ): Effect.fn.Return<void, WriteError> {
    const named = Where.eq<AuditRecordRow, "organization">("organization", organization)
    const [deletion] = yield* records.find(auditRecords, {
      select: ["id"],
      where: Where.and<AuditRecordRow>(
        named,
        Where.isIn("operation", evidence),
        Where.eq("outcome", "success")
      ),
      orderBy: ["id"],
      direction: "desc",
      limit: 1
    })
    const others =
      deletion === undefined
        ? named
        : Where.and<AuditRecordRow>(named, Where.not(Where.eq("id", deletion.id)))
    yield* removeWhere(auditRecords, others as Where.AnyWhere)
  })

  const removeRows = Effect.fnUntraced(function* (
    organization: OrganizationId
  ): Effect.fn.Return<void, WriteError> {
    // First: the ids of resources, by which payloads name the organization, are removed after that.
    yield* removeJobs(organization)
    yield* forgetExclusions(organization)
    for (const [table, where] of namingConditions(tables, organization)) yield* removeWhere(table, where)
    yield* removeReferring(organizations, [{ id: organization }])
    // Calls of its members that were denied in the meantime have left records.
    yield* removeAuditRecords(organization)
  })

  /** Rows that others insert concurrently are removed by the next run. */
  const toUnavailable = (error: WriteError): StorageUnavailable =>
    error._tag === "StorageUnavailable"
      ? error
      : new StorageUnavailable({ reason: "Contention", detail: `A purge was interrupted: ${error.message}` })

  const purgeOne = Effect.fnUntraced(function* (organization: OrganizationId) {
    const locked = <A, E>(effect: Effect.Effect<A, E>) =>
      lockedTransaction(Locks.organization({ organization }), effect)
    const marked = yield* locked(
      records.update(organizations, Where.and<OrganizationRow>(Where.eq("id", organization), yield* isDue), {
        isPurging: true
      })
    )
    if (marked === 0) return
    yield* Effect.mapError(removeRows(organization), toUnavailable)
    yield* locked(records.remove(organizations, Where.eq<OrganizationRow, "id">("id", organization)))
    yield* Effect.logInfo("organization removed", organization)
  })

  return {
    /** Removes the organizations whose time in the trash has ended, one after the other, and returns their number. */
    purge: Effect.gen(function* () {
      const found = yield* records.find(organizations, { select: ["id"], where: yield* isDue })
      for (const { id } of found) yield* purgeOne(id)
      return found.length
    })
  }
})

/** The methods of {@link OrganizationPurge}. */
export interface OrganizationPurgeService extends Effect.Success<ReturnType<typeof makePurge>> {}

/** Removes organizations whose time in the trash has ended, as background work. */
export class OrganizationPurge extends Context.Service<OrganizationPurge, OrganizationPurgeService>()(
  "@lectern/core/OrganizationPurge"
) {
  /** Provides the service over the tables of a workspace. */
  static readonly layerOf = (
    tables: ReadonlyArray<Table.AnyTable>
  ): Layer.Layer<OrganizationPurge, never, Records | RecordsAdapter> =>
    Layer.effect(OrganizationPurge, makePurge(tables))
}
