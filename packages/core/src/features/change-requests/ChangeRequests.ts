/** What callers do with change requests. */

import { Context, Effect, Layer } from "effect"
import { Access } from "../../access/Access.ts"
import { TransactionEvents } from "../../kernel/events/TransactionEvents.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { type BlobHash, Records, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import {
  ChangeRequestId,
  ChangeRequestRef,
  type ChangeRequestRow,
  type ChangeRequestStatus,
  CreateChangeRequest,
  changeRequests,
  contributors,
  ListChangeRequests,
  UpdateChangeRequest
} from "../../model/change-requests/ChangeRequest.ts"
import {
  baseOf,
  countsOf,
  defaultSubject,
  whyClosed,
  whyNotTo
} from "../../model/change-requests/ChangeRequestRules.ts"
import type { MergeResult, UpdateResult } from "../../model/content/MergeResult.ts"
import { type RevisionRow, revisions } from "../../model/content/Revision.ts"
import { SpaceId, type SpaceRow, spaces } from "../../model/spaces/Space.ts"
import { presentChangeRequest, presentChangeRequests } from "../../views/change-requests/ChangeRequestView.ts"
import { RevisionCommitted } from "../content/ContentEvents.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { merge } from "../content/merge/merge.ts"
import { newRevision } from "../content/newRevision.ts"

const makeChangeRequests = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const content = yield* ContentStore
  const ids = yield* Ids
  const events = yield* TransactionEvents
  const base = yield* PublicUrl

  const change = command(records)

  const whereId = (row: ChangeRequestRow) => Where.eq<ChangeRequestRow, "id">("id", row.id)

  /** Adjusts the counts of a space to a change of status. */
  const count = (space: SpaceRow, from: ChangeRequestStatus | null, to: ChangeRequestStatus) =>
    records.update(spaces, Where.eq<SpaceRow, "id">("id", space.id), {}, countsOf(from, to))

  /** The content of what is merged: of the base, of the space, and of the change request. */
  const rootsOf = Effect.fnUntraced(function* (space: SpaceRow, row: ChangeRequestRow) {
    const named = [baseOf(row), space.revision, row.revision]
    const found = yield* records.find(revisions, {
      select: ["id", "root"],
      where: Where.and<RevisionRow>(Where.isIn("id", named), Where.eq("space", space.id))
    })
    const roots = new Map(found.map(({ id, root }) => [id, root]))
    const [before, primary, proposed] = named.map((id) => roots.get(id)!) as [BlobHash, BlobHash, BlobHash]
    return { base: before, primary, change: proposed }
  })

  return {
    /** The change requests of a space under a filter, the newest first. */
    list: query([SpaceId, ListChangeRequests], function* (id, options) {
      const { space } = yield* access.space(id, "read")
      const { status = "open", creator, contributor } = options
      return yield* readPage(records, options, {
        table: changeRequests,
        list: ["changeRequests", id, status, creator, contributor],
        where: Where.and<ChangeRequestRow>(
          Where.eq("space", id),
          Where.eq("status", status),
          creator === undefined ? Where.all : Where.eq("createdBy", creator),
          contributor === undefined
            ? Where.all
            : Where.inSelect("id", contributors, "changeRequest", Where.eq("user", contributor))
        ),
        orderBy: ["number"],
        direction: "desc",
        present: (rows) => presentChangeRequests(records, base, space, rows)
      })
    }),

    /** A change request, by its id or its number. */
    get: query([SpaceId, ChangeRequestRef], function* (id, ref) {
      const { space, changeRequest } = yield* access.changeRequest(id, ref, "view")
      return yield* presentChangeRequest(records, base, space, changeRequest)
    }),

    /** Makes a change request of the caller's, as a draft: its content is that of the space. */
    create: change([SpaceId, CreateChangeRequest], function* (id, input) {
      const { space, caller } = yield* access.space(id, "propose")
      const number = (yield* records.next(spaces, { id }, "changeRequests"))!
      const time = yield* now
      const revision = space.revision
      const row: ChangeRequestRow = {
        id: ChangeRequestId.make(yield* ids.next),
        space: id,
        number,
        status: "draft",
        subject: input.subject ?? defaultSubject,
        createdBy: caller.user,
        agentTaskId: input.agentTaskId ?? null,
        revision,
        revisionInitial: revision,
        revisionMergedAncestor: null,
        revisionMerged: null,
        comments: 0,
        createdAt: time,
        updatedAt: time
      }
      yield* records.insert(changeRequests, row)
      yield* records.insert(contributors, { changeRequest: row.id, user: caller.user })
      yield* count(space, null, row.status)
      return yield* presentChangeRequest(records, base, space, row)
    }),

    /** Changes the subject, the status, or both. */
    update: change([SpaceId, ChangeRequestRef, UpdateChangeRequest], function* (id, ref, input) {
      const { space, changeRequest } = yield* access.changeRequest(id, ref, "edit")
      const { subject = changeRequest.subject, status = changeRequest.status } = input
      const why = whyNotTo(changeRequest.status, status)
      if (why !== undefined) return yield* why
      const set = { subject, status, updatedAt: yield* now }
      yield* records.update(changeRequests, whereId(changeRequest), set)
      if (status !== changeRequest.status) yield* count(space, changeRequest.status, status)
      return yield* presentChangeRequest(records, base, space, { ...changeRequest, ...set })
    }),

    /**
     * Merges a change request into the content of its space. Where both changed the same, nothing is written, and the
     * answer says what is in the way.
     */
    merge: change([SpaceId, ChangeRequestRef], function* (id, ref) {
      const { space, changeRequest, caller } = yield* access.changeRequest(id, ref, "merge")
      const why = whyClosed(changeRequest)
      if (why !== undefined) return yield* why
      const roots = yield* rootsOf(space, changeRequest)
      const merged = yield* merge(content, roots)
      const head = space.revision
      if (merged._tag === "Conflicts") {
        return { result: "conflicts", revision: head, conflicts: merged.conflicts } satisfies MergeResult
      }
      const time = yield* now
      const revision = yield* newRevision(ids, {
        space: id,
        type: "merge",
        root: merged.root,
        parents: [head, changeRequest.revision],
        mergedFrom: changeRequest.id,
        author: caller.user,
        createdAt: time
      })
      yield* records.insert(revisions, revision)
      yield* records.update(
        spaces,
        Where.eq<SpaceRow, "id">("id", id),
        { revision: revision.id, updatedAt: time },
        countsOf(changeRequest.status, "merged")
      )
      yield* events.publish(RevisionCommitted, { space: id, before: roots.primary, after: merged.root })
      yield* records.update(changeRequests, whereId(changeRequest), {
        status: "merged",
        revisionMerged: revision.id,
        updatedAt: time
      })
      return { result: "merge", revision: revision.id } satisfies MergeResult
    }),

    /**
     * Brings what changed in the space since into the change request. Where both changed the same, nothing is
     * written, and the answer says what is in the way.
     */
    pull: change([SpaceId, ChangeRequestRef], function* (id, ref) {
      const { space, changeRequest, caller } = yield* access.changeRequest(id, ref, "edit")
      const why = whyClosed(changeRequest)
      if (why !== undefined) return yield* why
      const head = space.revision
      if (baseOf(changeRequest) === head) {
        return { result: "update", revision: changeRequest.revision } satisfies UpdateResult
      }
      const merged = yield* merge(content, yield* rootsOf(space, changeRequest))
      if (merged._tag === "Conflicts") {
        const { revision } = changeRequest
        return { result: "conflicts", revision, conflicts: merged.conflicts } satisfies UpdateResult
      }
      const time = yield* now
      const revision = yield* newRevision(ids, {
        space: id,
        changeRequest: changeRequest.id,
        type: "update",
        root: merged.root,
        parents: [changeRequest.revision, head],
        author: caller.user,
        createdAt: time
      })
      yield* records.insert(revisions, revision)
      yield* records.update(changeRequests, whereId(changeRequest), {
        revision: revision.id,
        revisionMergedAncestor: head,
        updatedAt: time
      })
      return { result: "update", revision: revision.id } satisfies UpdateResult
    })
  }
})

/** See the module's comment. */
export class ChangeRequests extends Context.Service<
  ChangeRequests,
  Effect.Success<typeof makeChangeRequests>
>()("@lectern/core/ChangeRequests") {
  static readonly layer: Layer.Layer<
    ChangeRequests,
    never,
    Records | Access | ContentStore | TransactionEvents | Ids
  > = Layer.effect(ChangeRequests, makeChangeRequests)
}
