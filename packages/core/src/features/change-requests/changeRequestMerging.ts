/** Operations that merge a change request and its space. */

import { Locks, Operations } from "@lectern/access"
import { newRevision } from "@lectern/content"
import { Ids, makeLinkBase, now, TransactionEvents, Where } from "@lectern/kernel"
import {
  baseOf,
  type ChangeRequestRow,
  changeRequests,
  revisions,
  type SpaceRow,
  spaces,
  whyClosed
} from "@lectern/kernel/tables"
import { ChangeRequestRef, countsOf } from "@lectern/model/change-requests"
import type { MergePreview, MergeResult, UpdateResult } from "@lectern/model/content"
import { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"
import { RevisionCommitted } from "../content/ContentEvents.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { merge } from "../content/merge/merge.ts"
import { rewriteMergedLinks } from "../content/merge/mergedLinks.ts"
import { Outlines } from "../content/Outlines.ts"
import { rootsOf } from "./changeRequestQueries.ts"
import { findFailingRules, requireMergeRules } from "./requireMergeRules.ts"

/** Matches the row of a change request. */
export const whereId = (row: ChangeRequestRow) => Where.eq<ChangeRequestRow, "id">("id", row.id)

/** The operations that merge a change request into its space. */
export const makeMerging = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const content = yield* ContentStore
  const outlines = yield* Outlines
  const ids = yield* Ids
  const events = yield* TransactionEvents
  const linkBase = yield* makeLinkBase

  return {
    previewMerge: query(
      "ChangeRequests.previewMerge",
      {
        parameters: { space: SpaceId, changeRequest: ChangeRequestRef },
        authorize: allow.changeRequest("view")
      },
      function* (_, { space, changeRequest, caller, role, records }) {
        const [{ status }, { revision }] = [changeRequest, space]
        if (whyClosed(changeRequest) !== undefined) {
          return { status, revision, conflicts: [], failingRules: [] } satisfies MergePreview
        }
        const merging = { space, changeRequest, caller, role }
        const failingRules = yield* findFailingRules(records, yield* linkBase, merging)
        const merged = yield* merge(content, yield* rootsOf(records, space, changeRequest))
        const conflicts = merged._tag === "Conflicts" ? merged.conflicts : []
        return { status, revision, conflicts, failingRules } satisfies MergePreview
      }
    ),

    merge: command(
      "ChangeRequests.merge",
      {
        parameters: { space: SpaceId, changeRequest: ChangeRequestRef },
        authorize: allow.changeRequest("merge"),
        locks: Locks.space
      },
      function* (_, { space, changeRequest, caller, role, records }) {
        const closed = whyClosed(changeRequest)
        if (closed !== undefined) return yield* closed
        yield* requireMergeRules(records, yield* linkBase, { space, changeRequest, caller, role })
        const roots = yield* rootsOf(records, space, changeRequest)
        const merged = yield* merge(content, roots)
        const head = space.revision
        if (merged._tag === "Conflicts") {
          return { result: "conflicts", revision: head, conflicts: merged.conflicts } satisfies MergeResult
        }
        const time = yield* now
        const root = yield* rewriteMergedLinks(content, outlines, roots, merged.root, time)
        const revision = yield* newRevision(ids, {
          organization: space.organization,
          space: space.id,
          type: "merge",
          root,
          parents: [head, changeRequest.revision],
          mergedFrom: changeRequest.id,
          author: caller.user,
          createdAt: time
        })
        yield* records.insert(revisions, revision)
        const added = yield* content.addedBytes(records, space.organization, {
          before: roots.primary,
          after: root,
          other: roots.change
        })
        yield* records.updateUncounted(
          spaces,
          Where.eq<SpaceRow, "id">("id", space.id),
          { revision: revision.id, updatedAt: time },
          { ...countsOf(changeRequest.status, "merged"), contentBytes: added }
        )
        yield* events.publish(RevisionCommitted, {
          space: space.id,
          organization: space.organization,
          before: roots.primary,
          after: root
        })
        yield* records.updateUncounted(changeRequests, whereId(changeRequest), {
          status: "merged",
          revisionMerged: revision.id,
          updatedAt: time
        })
        return { result: "merge", revision: revision.id } satisfies MergeResult
      }
    )
  }
})

/** The operation that merges the content of the space into a change request. */
export const makeUpdateFromSpace = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const content = yield* ContentStore
  const outlines = yield* Outlines
  const ids = yield* Ids

  return {
    updateFromSpace: command(
      "ChangeRequests.updateFromSpace",
      {
        parameters: { space: SpaceId, changeRequest: ChangeRequestRef },
        authorize: allow.changeRequest("edit"),
        locks: Locks.space
      },
      function* (_, { space, changeRequest, caller, records }) {
        const closed = whyClosed(changeRequest)
        if (closed !== undefined) return yield* closed
        const head = space.revision
        if (baseOf(changeRequest) === head) {
          return { result: "update", revision: changeRequest.revision } satisfies UpdateResult
        }
        const roots = yield* rootsOf(records, space, changeRequest)
        const merged = yield* merge(content, roots)
        if (merged._tag === "Conflicts") {
          const { revision } = changeRequest
          return { result: "conflicts", revision, conflicts: merged.conflicts } satisfies UpdateResult
        }
        const time = yield* now
        const revision = yield* newRevision(ids, {
          organization: space.organization,
          space: space.id,
          changeRequest: changeRequest.id,
          type: "update",
          root: yield* rewriteMergedLinks(content, outlines, roots, merged.root, time),
          parents: [changeRequest.revision, head],
          author: caller.user,
          createdAt: time
        })
        yield* records.insert(revisions, revision)
        const contentBytes = yield* content.addedBytes(records, space.organization, {
          before: roots.change,
          after: revision.root,
          other: roots.primary
        })
        yield* records.updateUncounted(
          changeRequests,
          whereId(changeRequest),
          { revision: revision.id, revisionMergedAncestor: head, updatedAt: time },
          { contentBytes }
        )
        return { result: "update", revision: revision.id } satisfies UpdateResult
      }
    )
  }
})
