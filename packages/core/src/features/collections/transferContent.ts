/** Moves the rows of spaces to another organization. */

import type { GrantedRecords } from "@lectern/access"
import {
  type StorageUnavailable,
  type Table,
  type TransactionEvents,
  tenantSourceOf,
  Where
} from "@lectern/kernel"
import {
  archivedPages,
  changeRequests,
  commentReactions,
  commentReplies,
  comments,
  contributors,
  pageMoves,
  requestedReviewers,
  reviews,
  revisions,
  SpacesTransferred,
  spaces
} from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"

type AnyRow = Readonly<Record<string, string>>

/** A table whose rows are found by the names of their columns. */
type NamedTable = Table.AnyTable & { readonly Row?: AnyRow }

/**
 * The tables whose rows move with their space. The features remove all other rows of the space when they receive `SpacesTransferred`,
 * except for the search index, which a job writes again.
 */
export const transferredTables: ReadonlyArray<Table.AnyTable> = [
  changeRequests,
  revisions,
  pageMoves,
  archivedPages,
  comments,
  contributors,
  reviews,
  requestedReviewers,
  commentReplies,
  commentReactions
]

/** Returns the condition on the rows of a table that belong to spaces, directly or by other rows. */
const whereInSpaces = (
  records: GrantedRecords,
  table: Table.AnyTable,
  ids: ReadonlyArray<SpaceId>
): Where.Where<AnyRow> => {
  const { column, table: owner } = tenantSourceOf(table)!
  return owner.name === spaces.name
    ? Where.isIn<AnyRow, string>(column, ids)
    : records.inSelect<AnyRow, string, NamedTable, string>(
        column,
        owner as NamedTable,
        "id",
        whereInSpaces(records, owner, ids)
      )
}

/**
 * Moves the content of spaces to another organization, in the transaction that moves the spaces after that. Publishes `SpacesTransferred`, and
 * executes one statement per table, independent of the number of spaces.
 */
export const transferContent = (
  events: TransactionEvents["Service"],
  records: GrantedRecords,
  ids: ReadonlyArray<SpaceId>,
  organization: OrganizationId
): Effect.Effect<void, StorageUnavailable> =>
  Effect.gen(function* () {
    yield* events.publish(SpacesTransferred, { spaces: ids })
    if (ids.length === 0) return
    for (const table of transferredTables) {
      const where = whereInSpaces(records, table, ids)
      yield* records.updateUncounted(table as NamedTable, where, { organization })
    }
  })
