/**
 * Removes organizations whose time in the trash has ended, with all of their rows, in batches.
 *
 * The rows are found by the declarations of the tables: those that refer to the organization, directly or by other rows, and those with
 * its id in the column `organization`. Rows that refer to others are removed first, so that no statement removes more than a batch by
 * a cascade. A purge that is interrupted continues with the rows that are left. The blobs that no other organization uses are
 * collected as garbage after that.
 */

import { type GrantedRecords, Locks, SystemGrant } from "@lectern/access"
import {
  decodeSet,
  encodeMember,
  encodeSet,
  events,
  type JobRow,
  jobs,
  outboxEvents,
  type PlainRow,
  Records,
  RecordsAdapter,
  retryConflicts,
  StorageUnavailable,
  type Table,
  toTimestamp,
  Where,
  type WriteError,
  whereKeys
} from "@lectern/kernel"
import {
  type ApiTokenRow,
  type AuditRecordRow,
  apiTokens,
  auditRecords,
  integrations,
  type OrganizationRow,
  organizations,
  webhookDeliveries,
  webhooks
} from "@lectern/kernel/tables"
import { type OrganizationId, organizationRetentionMillis } from "@lectern/model/organizations"
import { Clock, Context, Effect, Layer } from "effect"

type Adapter = RecordsAdapter["Service"]

/** The maximum number of rows that one statement removes. */
export const purgeBatchSize = 200

/**
 * The tables whose rows of an organization remain until their retention ends. Consumers read the log of events by numbers without gaps
 * at its start, and the event of the removal tells them that the organization is gone.
 */
const retainedTables: ReadonlySet<string> = new Set([events.name, outboxEvents.name])

/** The calls that are evidence of a removal: their audit records remain until the retention of the audit log ends. */
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

/** Returns the conditions on the rows that have the id of an organization in a column without a reference. */
const namingConditions = (
  tables: ReadonlyArray<Table.AnyTable>,
  organization: OrganizationId
): ReadonlyArray<readonly [Table.AnyTable, Where.AnyWhere]> =>
  tables.flatMap((table): ReadonlyArray<readonly [Table.AnyTable, Where.AnyWhere]> => {
    if (!Object.hasOwn(table.columns, "organization") || retainedTables.has(table.name)) return []
    if (table.references.organization !== undefined) return []
    const named: Where.AnyWhere = { op: "eq", column: "organization", value: organization }
    if (table.name !== auditRecords.name) return [[table, named]]
    const isOther = Where.not(Where.isIn<AuditRecordRow, "operation">("operation", evidence))
    return [[table, { op: "and", conditions: [named, isOther as Where.AnyWhere] }]]
  })

/** Adds the strings of a JSON value. */
const collectStrings = (value: unknown, found: Set<string>): void => {
  if (typeof value === "string") found.add(value)
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) collectStrings(inner, found)
}

/** Whether a JSON value contains one of these strings. */
const containsAny = (value: unknown, strings: ReadonlySet<string>): boolean => {
  const found = new Set<string>()
  collectStrings(value, found)
  return [...found].some((one) => strings.has(one))
}

/** Creates the functions that remove rows by the declarations of their tables. */
const makeRemoval = (adapter: Adapter, tables: ReadonlyArray<Table.AnyTable>) => {
  const referrers = referrersOf(tables)
  /** The tables whose ids payloads of jobs can have. */
  const named = tables.filter(
    ({ protection, columns }) => typeof protection?.tenant === "string" && Object.hasOwn(columns, "id")
  )

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

  /** Passes the rows of a table on, in batches. */
  const eachBatch = Effect.fnUntraced(function* (
    table: Table.AnyTable,
    where: Where.AnyWhere,
    use: (rows: ReadonlyArray<PlainRow>) => Effect.Effect<unknown, WriteError>
  ): Effect.fn.Return<void, WriteError> {
    let after: ReadonlyArray<Where.Scalar> | undefined
    for (;;) {
      const rows: ReadonlyArray<PlainRow> = yield* adapter.find(table, {
        where,
        orderBy: [],
        direction: "asc",
        limit: purgeBatchSize,
        ...(after === undefined ? {} : { after })
      })
      if (rows.length === 0) return
      yield* use(rows)
      after = table.key.map((column) => rows.at(-1)![column] as Where.Scalar)
    }
  })

  /** Returns which of these strings are ids of rows of an organization. */
  const findSubjects = Effect.fnUntraced(function* (
    organization: OrganizationId,
    strings: ReadonlyArray<string>
  ): Effect.fn.Return<ReadonlySet<string>, WriteError> {
    const found = new Set<string>()
    for (const table of named) {
      const rows = yield* adapter.find(table, {
        where: {
          op: "and",
          conditions: [
            { op: "eq", column: table.protection!.tenant!, value: organization },
            { op: "in", column: "id", values: strings }
          ]
        },
        orderBy: [],
        direction: "asc",
        select: [...new Set([...table.key, "id"])]
      })
      for (const { id } of rows) found.add(String(id))
    }
    return found
  })

  return {
    removeWhere,
    removeReferring,

    /** Removes the jobs whose payload names the organization or one of its resources, also dead-lettered ones. */
    removeJobs: (organization: OrganizationId) =>
      eachBatch(
        jobs,
        { op: "all" },
        Effect.fnUntraced(function* (rows) {
          const strings = new Set<string>()
          for (const { payload } of rows) collectStrings(payload, strings)
          if (strings.size === 0) return
          const subjects = yield* findSubjects(organization, [...strings])
          const own = (rows as ReadonlyArray<PlainRow & JobRow>).filter(({ payload }) =>
            containsAny(payload, subjects)
          )
          if (own.length > 0) yield* retryConflicts(adapter.remove(jobs, whereKeys(jobs, own)))
        })
      ),

    /** Removes the organization from the sets of organizations that tokens of users exclude. */
    forgetExclusions: (organization: OrganizationId) =>
      eachBatch(
        apiTokens,
        { op: "contains", column: "excluded", value: encodeMember(organization) },
        (rows) =>
          Effect.forEach(
            rows as ReadonlyArray<PlainRow & ApiTokenRow>,
            (row) => {
              const others = decodeSet(row.excluded).filter((other) => other !== organization)
              const change = { set: { excluded: encodeSet(others) }, add: {} }
              return retryConflicts(adapter.update(apiTokens, whereKeys(apiTokens, [row]), change))
            },
            { discard: true }
          )
      )
  }
}

const makePurge = Effect.fnUntraced(function* (tables: ReadonlyArray<Table.AnyTable>) {
  const adapter = yield* RecordsAdapter
  const { lockedTransaction } = yield* Records
  const { records }: { readonly records: GrantedRecords } = yield* SystemGrant.make(
    "Removes organizations whose time in the trash has ended."
  )
  const { removeWhere, removeReferring, removeJobs, forgetExclusions } = makeRemoval(adapter, tables)

  const removeRows = Effect.fnUntraced(function* (
    organization: OrganizationId
  ): Effect.fn.Return<void, WriteError> {
    // First: the ids of resources, by which payloads name the organization, are removed after that.
    yield* removeJobs(organization)
    yield* forgetExclusions(organization)
    for (const [table, where] of namingConditions(tables, organization)) yield* removeWhere(table, where)
    yield* removeReferring(organizations, [{ id: organization }])
  })

  /** Rows that others have inserted meanwhile are removed by the next run. */
  const toUnavailable = (error: WriteError): StorageUnavailable =>
    error._tag === "StorageUnavailable"
      ? error
      : new StorageUnavailable({ reason: "Contention", detail: `A purge was interrupted: ${error.message}` })

  const purgeOne = Effect.fnUntraced(function* (organization: OrganizationId) {
    const locked = <A, E>(effect: Effect.Effect<A, E>) =>
      lockedTransaction(Locks.organization({ organization }), effect)
    const expired = toTimestamp((yield* Clock.currentTimeMillis) - organizationRetentionMillis)
    const marked = yield* locked(
      records.update(
        organizations,
        Where.and<OrganizationRow>(
          Where.eq("id", organization),
          Where.or<OrganizationRow>(Where.eq("isPurging", true), Where.lte("deletedAt", expired))
        ),
        { isPurging: true }
      )
    )
    if (marked === 0) return
    yield* Effect.mapError(removeRows(organization), toUnavailable)
    yield* locked(records.remove(organizations, Where.eq<OrganizationRow, "id">("id", organization)))
    yield* Effect.logInfo("organization removed", organization)
  })

  return {
    /** Removes the organizations whose time in the trash has ended, one after the other, and returns their number. */
    purge: Effect.gen(function* () {
      const expired = toTimestamp((yield* Clock.currentTimeMillis) - organizationRetentionMillis)
      const found = yield* records.find(organizations, {
        select: ["id"],
        where: Where.lte<OrganizationRow, "deletedAt">("deletedAt", expired)
      })
      const started = yield* records.find(organizations, {
        select: ["id"],
        where: Where.and<OrganizationRow>(Where.not(Where.isNull("deletedAt")), Where.eq("isPurging", true))
      })
      const ids = new Set([...found, ...started].map(({ id }) => id))
      for (const id of ids) yield* purgeOne(id)
      return ids.size
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
