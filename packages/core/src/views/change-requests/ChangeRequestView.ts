/** Converts rows of change requests to resources. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type ChangeRequestRow,
  isOutdated,
  presentUser,
  type SpaceRow,
  type UserRow,
  users
} from "@lectern/kernel/tables"
import type { ChangeRequest } from "@lectern/model/change-requests"
import type { RevisionId } from "@lectern/model/content"
import { Effect } from "effect"
import { findUndoneMerges } from "./undoneMerges.ts"

type InSpace = Pick<SpaceRow, "id" | "revision">

/** Returns the URL of a change request in the application. */
export const changeRequestAppUrl = (base: string, row: Pick<ChangeRequestRow, "space" | "number">): string =>
  `${base}/s/${row.space}/~/changes/${row.number}/`

/** Converts a row to a resource. */
const toChangeRequest = (
  base: string,
  row: ChangeRequestRow,
  space: InSpace,
  createdBy: UserRow,
  undoneBy: RevisionId | undefined
): ChangeRequest => ({
  object: "change-request",
  id: row.id,
  number: row.number,
  status: row.status,
  subject: row.subject,
  ...(row.description === null ? {} : { description: row.description }),
  createdBy: presentUser(base, createdBy),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  space: row.space,
  revision: row.revision,
  revisionInitial: row.revisionInitial,
  ...(row.revisionMergedAncestor === null ? {} : { revisionMergedAncestor: row.revisionMergedAncestor }),
  ...(row.revisionMerged === null ? {} : { revisionMerged: row.revisionMerged }),
  ...(undoneBy === undefined ? {} : { undoneBy }),
  comments: row.comments,
  outdated: isOutdated(row, space),
  mergeRules: row.mergeRules ?? { type: "inherit" },
  urls: {
    app: changeRequestAppUrl(base, row),
    location: `${base}/v1/spaces/${row.space}/change-requests/${row.id}`
  }
})

/**
 * Converts rows to resources, with one query for their authors, and two for merges that may be undone. `inSpaces` are the spaces of the
 * rows.
 */
export const presentChangeRequests = Effect.fnUntraced(function* (
  records: GrantedReader,
  base: string,
  inSpaces: ReadonlyArray<InSpace>,
  rows: ReadonlyArray<ChangeRequestRow>
): Effect.fn.Return<ReadonlyArray<ChangeRequest>, StorageUnavailable> {
  if (rows.length === 0) return []
  const ids = [...new Set(rows.map((row) => row.createdBy))]
  const authors = yield* records.find(users, { where: Where.isIn("id", ids) })
  const byId = new Map(authors.map((author) => [author.id, author]))
  const spaces = new Map(inSpaces.map((space) => [space.id, space]))
  const undone = yield* findUndoneMerges(records, inSpaces, rows)
  return rows.map((row) =>
    toChangeRequest(base, row, spaces.get(row.space)!, byId.get(row.createdBy)!, undone.get(row.id))
  )
})

/** Converts one row to a resource. */
export const presentChangeRequest = (
  records: GrantedReader,
  base: string,
  space: InSpace,
  row: ChangeRequestRow
): Effect.Effect<ChangeRequest, StorageUnavailable> =>
  Effect.map(presentChangeRequests(records, base, [space], [row]), (all) => all[0]!)
