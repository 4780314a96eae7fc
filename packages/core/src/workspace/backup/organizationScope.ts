/** Finds the rows and the blobs of one organization, for a backup of it. */

import { decodeNode } from "@lectern/content"
import {
  BackupError,
  type BlobHash,
  blobs,
  type ChunkedBlobRow,
  chunkedBlobs,
  eachRowsWhere,
  events,
  jobs,
  oauthRecords,
  outboxEvents,
  type PlainRow,
  type ReadError,
  type RecordsAdapter,
  rateLimits,
  readStoredBlobs,
  secrets,
  type Table,
  tenantSourceOf,
  type Where
} from "@lectern/kernel"
import {
  apiTokens,
  auditRecords,
  commentReplies,
  comments,
  exportArchives,
  idempotencyKeys,
  importRuns,
  invites,
  openApiSpecs,
  organizations,
  pdfs,
  revisions,
  sites,
  spaces,
  stagedUploads,
  tokenAddresses,
  users,
  webhookDeliveries,
  webhooks
} from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"
import { markReachable } from "../../features/content/collectGarbage.ts"
import { outlines } from "../../features/content/Outlines.ts"

type Adapter = RecordsAdapter["Service"]

/**
 * The tables without rows in the backup of an organization. Credentials are issued again, the log of events is numbered
 * for the whole workspace, and the audit log remains where the calls were executed. The others are temporary.
 */
const excludedTables: ReadonlySet<string> = new Set(
  [
    apiTokens,
    auditRecords,
    events,
    exportArchives,
    idempotencyKeys,
    oauthRecords,
    outboxEvents,
    pdfs,
    rateLimits,
    secrets,
    stagedUploads,
    tokenAddresses,
    webhookDeliveries
  ].map(({ name }) => name)
)

/** The columns with ids of users that are not references, by table: a list of ids, or one. */
const userColumns: ReadonlyArray<readonly [table: Table.AnyTable, column: string]> = [
  [revisions, "author"],
  [invites, "createdBy"],
  [comments, "resolvedBy"],
  [comments, "mentions"],
  [commentReplies, "mentions"],
  [webhooks, "createdBy"],
  [importRuns, "user"]
]

/** The tables whose ids payloads of jobs name. */
const jobSubjects: ReadonlyArray<Table.AnyTable> = [organizations, spaces, sites, openApiSpecs, importRuns]

/** Returns the condition on the rows of an organization, or undefined if the table has no such rows. */
const conditionOn = (table: Table.AnyTable, organization: OrganizationId): Where.AnyWhere | undefined => {
  if (excludedTables.has(table.name)) return undefined
  const tenant = table.protection?.tenant
  if (typeof tenant === "string" && tenantSourceOf(table) === undefined) {
    return { op: "eq", column: tenant, value: organization }
  }
  // The row belongs to the one that it must refer to. The reference has an index, unlike the column of the organization.
  for (const [column, reference] of Object.entries(table.references)) {
    const target = reference?.table()
    if (target === undefined || target.protection === undefined || table.columns[column]!.nullable) continue
    const where = conditionOn(target, organization)
    if (where === undefined) continue
    return { op: "inSelect", column, table: target as Where.SelectableTable, select: target.key[0]!, where }
  }
  return undefined
}

/** The rows and blobs of an organization. */
export interface OrganizationScope {
  /** The tables that have rows of the organization. */
  readonly tables: ReadonlyArray<Table.AnyTable>
  /** Passes the rows of a table on, in the order of its key. */
  readonly eachRows: <E>(
    table: Table.AnyTable,
    use: (rows: ReadonlyArray<PlainRow>) => Effect.Effect<unknown, E>
  ) => Effect.Effect<void, E | ReadError>
  /** The hashes of the blobs, in ascending order. */
  readonly hashes: ReadonlyArray<BlobHash>
}

const toIds = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string" ? [value] : Array.isArray(value) ? value.flatMap(toIds) : []

const addAll = <A>(set: Set<A>, values: ReadonlyArray<A>): void => {
  for (const value of values) set.add(value)
}

/** Whether a JSON value contains one of these strings. */
const containsAny = (value: unknown, ids: ReadonlySet<string>): boolean =>
  typeof value === "string"
    ? ids.has(value)
    : typeof value === "object" &&
      value !== null &&
      Object.values(value).some((inner) => containsAny(inner, ids))

/** Finds the ids of the users that rows of the organization name, in ascending order. */
const findUsers = Effect.fnUntraced(function* (
  adapter: Adapter,
  tables: ReadonlyArray<Table.AnyTable>,
  conditions: ReadonlyMap<string, Where.AnyWhere>
): Effect.fn.Return<ReadonlyArray<string>, ReadError> {
  const found = new Set<string>()
  for (const table of tables) {
    const where = conditions.get(table.name)
    if (where === undefined) continue
    const columns = [
      ...Object.entries(table.references).flatMap(([column, reference]) =>
        reference?.table().name === users.name ? [column] : []
      ),
      ...userColumns.flatMap(([{ name }, column]) => (name === table.name ? [column] : []))
    ]
    if (columns.length === 0) continue
    yield* eachRowsWhere(
      adapter,
      table,
      where,
      (rows) =>
        Effect.sync(() => {
          for (const row of rows)
            for (const column of columns) for (const id of toIds(row[column])) found.add(id)
        }),
      [...new Set([...table.key, ...columns])]
    )
  }
  return [...found].sort()
})

/** Finds the hashes of the content of the organization, including the files of several chunks, but not their chunks. */
const findContent = Effect.fnUntraced(function* (
  adapter: Adapter,
  where: Where.AnyWhere
): Effect.fn.Return<Set<BlobHash>, ReadError> {
  const roots = new Set<BlobHash>()
  yield* eachRowsWhere(
    adapter,
    revisions,
    where,
    (rows) =>
      Effect.sync(() =>
        addAll(
          roots,
          rows.map(({ root }) => root as BlobHash)
        )
      ),
    ["id", "root"]
  )
  return yield* markReachable(roots, (hashes) =>
    Effect.map(readStoredBlobs(adapter, blobs, hashes), (found) => Array.from(found.values(), decodeNode))
  )
})

/** Passes the rows with these keys on. The table has a key of one column, whose values are in ascending order. */
const eachRowsOfKeys = Effect.fnUntraced(function* <E>(
  adapter: Adapter,
  table: Table.AnyTable,
  keys: ReadonlyArray<string>,
  use: (rows: ReadonlyArray<PlainRow>) => Effect.Effect<unknown, E>
): Effect.fn.Return<void, E | ReadError> {
  for (let at = 0; at < keys.length; at += 500) {
    const values = keys.slice(at, at + 500)
    yield* eachRowsWhere(adapter, table, { op: "in", column: table.key[0]!, values }, use)
  }
})

/** Finds the rows and the blobs of an organization. Call it in the transaction that reads them. */
export const findOrganizationScope = Effect.fnUntraced(function* (
  adapter: Adapter,
  tables: ReadonlyArray<Table.AnyTable>,
  organization: OrganizationId
): Effect.fn.Return<OrganizationScope, ReadError | BackupError> {
  const conditions = new Map<string, Where.AnyWhere>()
  for (const table of tables) {
    const where = conditionOn(table, organization)
    if (where !== undefined) conditions.set(table.name, where)
  }
  if ((yield* adapter.count(organizations, conditions.get(organizations.name)!)) === 0) {
    return yield* new BackupError({
      reason: "NotFound",
      message: `There is no organization with the id ${JSON.stringify(organization)}.`
    })
  }
  const userIds = yield* findUsers(adapter, tables, conditions)
  const reachable = yield* findContent(adapter, conditions.get(revisions.name)!)
  const content = [...reachable].sort()
  yield* eachRowsOfKeys(adapter, chunkedBlobs, content, (rows) =>
    Effect.sync(() => {
      for (const { hash, chunks } of rows as ReadonlyArray<PlainRow & ChunkedBlobRow>) {
        reachable.delete(hash)
        for (const chunk of chunks) reachable.add(chunk)
      }
    })
  )
  const subjects = new Set<string>()
  for (const table of jobSubjects) {
    yield* eachRowsWhere(
      adapter,
      table,
      conditions.get(table.name)!,
      (rows) =>
        Effect.sync(() =>
          addAll(
            subjects,
            rows.map(({ id }) => String(id))
          )
        ),
      ["id"]
    )
  }
  const keyed = new Map<string, ReadonlyArray<string>>([
    [users.name, userIds],
    [chunkedBlobs.name, content],
    [outlines.name, content]
  ])
  return {
    tables: tables.filter(({ name }) => conditions.has(name) || keyed.has(name) || name === jobs.name),
    eachRows: (table, use) => {
      const keys = keyed.get(table.name)
      if (keys !== undefined) return eachRowsOfKeys(adapter, table, keys, use)
      if (table.name !== jobs.name) return eachRowsWhere(adapter, table, conditions.get(table.name)!, use)
      return eachRowsWhere(adapter, jobs, { op: "all" }, (rows) => {
        const own = rows.filter(({ payload }) => containsAny(payload, subjects))
        return own.length === 0 ? Effect.void : use(own)
      })
    },
    hashes: [...reachable].sort()
  }
})
