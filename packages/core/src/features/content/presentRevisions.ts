/** Converts rows of revisions to resources without their content. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { changeRequests, type RevisionRow } from "@lectern/kernel/tables"
import type { RevisionSummary } from "@lectern/model/content"
import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"
import { presentUsers } from "../../views/users/presentUsers.ts"
import type { ContentStore } from "./ContentStore.ts"
import { summarizeRevisions } from "./revisionChanges.ts"

/** Converts revisions of a space, with their authors, the change requests that they merged, and their changes. */
export const presentRevisions = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  records: GrantedReader,
  base: string,
  space: SpaceId,
  rows: ReadonlyArray<RevisionRow>
): Effect.fn.Return<ReadonlyArray<RevisionSummary>, StorageUnavailable> {
  const authors = yield* presentUsers(
    records,
    base,
    rows.flatMap(({ author }) => author ?? [])
  )
  const merged = yield* records.find(changeRequests, {
    select: ["id", "number", "subject"],
    where: Where.isIn("id", [...new Set(rows.flatMap(({ mergedFrom }) => mergedFrom ?? []))])
  })
  const subjects = new Map(merged.map(({ id, number, subject }) => [id as string, { number, subject }]))
  const changes = yield* summarizeRevisions(content, records, rows)
  return rows.map((row): RevisionSummary => {
    const changeRequest = row.mergedFrom === null ? undefined : subjects.get(row.mergedFrom)
    const changed = changes.get(row.id)
    const author = row.author === null ? undefined : authors.get(row.author)
    return {
      object: "revision-summary",
      id: row.id,
      type: row.type,
      parents: row.parents,
      ...(author === undefined ? {} : { author }),
      ...(row.message === null ? {} : { message: row.message }),
      ...(changed === undefined ? {} : { changes: changed }),
      ...(row.git === null ? {} : { git: row.git }),
      ...(row.mergedFrom === null ? {} : { mergedFrom: row.mergedFrom }),
      ...(changeRequest === undefined ? {} : { changeRequest }),
      ...(row.automaticSince === null ? {} : { automaticSince: row.automaticSince }),
      createdAt: row.createdAt,
      urls: { location: `${base}/v1/spaces/${space}/revisions/${row.id}` }
    }
  })
})
