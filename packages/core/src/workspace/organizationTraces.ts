/** Removes the traces of an organization from rows that no column connects with it: payloads of jobs, and lists of ids. */

import {
  decodeSet,
  eachRowsWhere,
  encodeMember,
  encodeSet,
  type JobRow,
  jobs,
  type PlainRow,
  type RecordsAdapter,
  retryConflicts,
  type Table,
  type WriteError,
  whereKeys
} from "@lectern/kernel"
import { type ApiTokenRow, apiTokens } from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"

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

/** Creates the functions. They read and change rows in batches. */
export const makeTraceRemoval = (
  adapter: RecordsAdapter["Service"],
  tables: ReadonlyArray<Table.AnyTable>
) => {
  /** The tables whose ids payloads of jobs can have. */
  const named = tables.filter(
    ({ protection, columns }) => typeof protection?.tenant === "string" && Object.hasOwn(columns, "id")
  )

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
    /** Removes the jobs whose payload names the organization or one of its resources, also dead-lettered ones. */
    removeJobs: (organization: OrganizationId) =>
      eachRowsWhere(
        adapter,
        jobs,
        { op: "all" },
        Effect.fnUntraced(function* (rows): Effect.fn.Return<void, WriteError> {
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
      eachRowsWhere(
        adapter,
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
