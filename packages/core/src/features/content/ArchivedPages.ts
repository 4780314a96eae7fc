/** Records the pages that are deleted from the primary content of spaces. */

import { SystemGrant } from "@lectern/access"
import { type Subscription, subscribeToEvent, Where } from "@lectern/kernel"
import {
  type ArchivedPageRow,
  archivedPages,
  type PageRecord,
  recordOf,
  revisions,
  spaces
} from "@lectern/kernel/tables"
import type { PageId } from "@lectern/model/content"
import { Effect } from "effect"
import { RevisionCommitted, type RevisionCommittedPayload } from "./ContentEvents.ts"
import { ContentStore } from "./ContentStore.ts"

/** The maximum number of rows that one statement writes. */
const batchSize = 100

/** Returns the subscriptions that record deleted pages, and remove the records of restored pages. */
export const archivedPageSubscriptions = Effect.gen(function* () {
  const store = yield* ContentStore
  const { records } = yield* SystemGrant.make(
    "Records the pages that are deleted from the content of spaces."
  )

  const archive = Effect.fnUntraced(function* ({
    space,
    organization,
    before,
    after,
    hasNewPagesOnly
  }: RevisionCommittedPayload) {
    const deleted: Array<{ readonly page: PageId; readonly record: PageRecord }> = []
    const inserted: Array<PageId> = []
    for (const change of yield* store.maps.diff(before, after)) {
      const record = recordOf(change.key)
      if (record?.kind !== "page" || (change.before === undefined) === (change.after === undefined)) continue
      const page = record.id as PageId
      if (change.after === undefined) {
        deleted.push({ page, record: change.before as unknown as PageRecord })
      } else inserted.push(page)
    }
    if (hasNewPagesOnly !== true) {
      for (let at = 0; at < inserted.length; at += batchSize) {
        yield* records.removeUncounted(
          archivedPages,
          Where.and<ArchivedPageRow>(
            Where.eq("space", space),
            Where.isIn("page", inserted.slice(at, at + batchSize))
          )
        )
      }
    }
    if (deleted.length === 0) return
    const { revision: head } = (yield* records.get(spaces, { id: space }, ["revision"]))!
    const { parents, createdAt } = (yield* records.get(revisions, { id: head }, ["parents", "createdAt"]))!
    for (let at = 0; at < deleted.length; at += batchSize) {
      yield* records.insertMany(
        archivedPages,
        deleted.slice(at, at + batchSize).map(({ page, record: { type, title } }) => ({
          organization,
          space,
          page,
          type,
          title,
          revision: parents[0]!,
          archivedAt: createdAt
        }))
      )
    }
  })

  return [subscribeToEvent(RevisionCommitted, archive)] as ReadonlyArray<Subscription>
})
