/** Operations on change requests. */

import { newRevision } from "@lectern/content"
import { Ids, makeLinkBase, now, readPage, TransactionEvents, Where } from "@lectern/kernel"
import {
  baseOf,
  type ChangeRequestRow,
  changeRequests,
  contributors,
  revisions,
  type SpaceRow,
  spaces,
  whyClosed
} from "@lectern/kernel/tables"
import {
  type ChangeRequest,
  ChangeRequestId,
  ChangeRequestRef,
  type ChangeRequestStatus,
  CreateChangeRequest,
  countsOf,
  ListChangeRequests,
  statusConflict,
  UpdateChangeRequest
} from "@lectern/model/change-requests"
import type { MergePreview, MergeResult, UpdateResult } from "@lectern/model/content"
import { OrganizationId } from "@lectern/model/organizations"
import type { Page } from "@lectern/model/schema"
import { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import type { GrantedRecords } from "../../access/grants/Grant.ts"
import type { TargetError } from "../../access/operations/Authorization.ts"
import { Locks } from "../../access/operations/Locks.ts"
import type { AccessError, Command, Query } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import { Access } from "../../access/roles/Access.ts"
import { presentChangeRequest, presentChangeRequests } from "../../views/change-requests/ChangeRequestView.ts"
import { RevisionCommitted } from "../content/ContentEvents.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { merge } from "../content/merge/merge.ts"
import { rewriteMergedLinks } from "../content/merge/mergedLinks.ts"
import { Outlines } from "../content/Outlines.ts"
import { rootsOf, whereListed } from "./changeRequestQueries.ts"
import { decodeDescription } from "./decodeDescription.ts"
import { findFailingRules, requireMergeRules } from "./requireMergeRules.ts"
import { startOf } from "./startChangeRequest.ts"

/**
 * Operations on change requests, on behalf of the `CurrentUser`. `changeRequest` is an id, or a number in the space.
 * Spaces in the trash have no change requests: every operation on them fails with `NotFound`.
 */
export interface ChangeRequestsOperations {
  /** Lists the change requests of a space that match every given filter, newest first; open ones by default. */
  readonly list: Query<{ space: SpaceId; input?: ListChangeRequests }, Page<ChangeRequest>, TargetError>
  /**
   * Lists the change requests of the spaces of an organization that the caller can read and that match every given
   * filter, newest first; open ones by default.
   */
  readonly listInOrganization: Query<
    { organization: OrganizationId; input?: ListChangeRequests },
    Page<ChangeRequest>,
    AccessError
  >
  /** Returns the change request. Requires the role `read` on the space. */
  readonly get: Query<
    { space: SpaceId; changeRequest: typeof ChangeRequestRef.Type },
    ChangeRequest,
    TargetError
  >
  /**
   * Creates a draft with the current content of the space, or with the changes of a merged change request, and returns it. Requires
   * the role `edit` on the space; the caller becomes its author and first contributor. Fails with `NotFound` if the space has no
   * change request `reapplies`, and with `Conflict` if it is not merged.
   */
  readonly create: Command<{ space: SpaceId; input?: CreateChangeRequest }, ChangeRequest, TargetError>
  /**
   * Updates the given fields and returns the change request. Requires the role `edit` on the space for the caller's
   * own change requests, `review` for others, and `admin` to change its merge rules. Fails with `Conflict` if the status
   * is set to `merged`, or the change request is merged and its status would change.
   */
  readonly update: Command<
    { space: SpaceId; changeRequest: typeof ChangeRequestRef.Type; input?: UpdateChangeRequest },
    ChangeRequest,
    TargetError
  >
  /**
   * Returns the conflicts and the failing rules of a merge by the caller, without merging: none of a change request that is
   * merged or archived. Requires the role `read` on the space.
   */
  readonly previewMerge: Query<
    { space: SpaceId; changeRequest: typeof ChangeRequestRef.Type },
    MergePreview,
    TargetError
  >
  /**
   * Merges the change request into the content of its space. Returns the new revision of the space. If both sides changed
   * the same field, returns the conflicts and writes nothing. Requires the role `review` on the space. Fails with
   * `Conflict` if the change request is merged or archived, or if its merge rules do not pass: `failingRules` lists
   * the failing rules.
   */
  readonly merge: Command<
    { space: SpaceId; changeRequest: typeof ChangeRequestRef.Type },
    MergeResult,
    TargetError
  >
  /**
   * Merges the changes of the space since the change request was created or last updated into the change request. Returns
   * its new revision, or its current one if the space has not changed. If both sides changed the same field, returns the
   * conflicts and writes nothing. Requires the role `edit` on the space for the caller's own change requests, `review` for
   * others. Fails with `Conflict` if the change request is merged or archived.
   */
  readonly updateFromSpace: Command<
    { space: SpaceId; changeRequest: typeof ChangeRequestRef.Type },
    UpdateResult,
    TargetError
  >
}

const makeChangeRequests = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const content = yield* ContentStore
  const outlines = yield* Outlines
  const ids = yield* Ids
  const events = yield* TransactionEvents
  const access = yield* Access
  const linkBase = yield* makeLinkBase

  const whereId = (row: ChangeRequestRow) => Where.eq<ChangeRequestRow, "id">("id", row.id)

  /** Updates the counters of a space for a change of status. */
  const updateCounts = (
    records: GrantedRecords,
    space: SpaceRow,
    from: ChangeRequestStatus | null,
    to: ChangeRequestStatus
  ) => records.updateUncounted(spaces, Where.eq<SpaceRow, "id">("id", space.id), {}, countsOf(from, to))

  return {
    list: query(
      "ChangeRequests.list",
      { parameters: { space: SpaceId, input: ListChangeRequests }, authorize: allow.space("read") },
      function* ({ input }, { space, records }) {
        const { status = "open", creator, contributor } = input
        return yield* readPage(records, input, {
          table: changeRequests,
          list: ["changeRequests", space.id, status, creator, contributor],
          where: Where.and<ChangeRequestRow>(Where.eq("space", space.id), whereListed(records, input)),
          orderBy: ["number"],
          direction: "desc",
          present: (rows) =>
            Effect.flatMap(linkBase, (base) => presentChangeRequests(records, base, [space], rows))
        })
      }
    ),

    listInOrganization: query(
      "ChangeRequests.listInOrganization",
      {
        parameters: { organization: OrganizationId, input: ListChangeRequests },
        authorize: allow.organization("list")
      },
      function* ({ organization, input }, { caller, records }) {
        const { status = "open", creator, contributor } = input
        const inOrganization = Where.and<SpaceRow>(
          Where.eq("organization", organization),
          Where.isNull("deletedAt"),
          yield* access.whereVisible(caller)
        )
        return yield* readPage(records, input, {
          table: changeRequests,
          list: ["changeRequestsOfOrganization", organization, status, creator, contributor],
          where: Where.and<ChangeRequestRow>(
            records.inSelect<ChangeRequestRow, "space", typeof spaces, "id">(
              "space",
              spaces,
              "id",
              inOrganization
            ),
            whereListed(records, input)
          ),
          orderBy: ["id"],
          direction: "desc",
          present: Effect.fnUntraced(function* (rows) {
            const found = yield* records.find(spaces, {
              select: ["id", "revision"],
              where: Where.isIn("id", [...new Set(rows.map(({ space }) => space))])
            })
            return yield* presentChangeRequests(records, yield* linkBase, found, rows)
          })
        })
      }
    ),

    get: query(
      "ChangeRequests.get",
      {
        parameters: { space: SpaceId, changeRequest: ChangeRequestRef },
        authorize: allow.changeRequest("view")
      },
      function* (_, { space, changeRequest, records }) {
        return yield* presentChangeRequest(records, yield* linkBase, space, changeRequest)
      }
    ),

    create: command(
      "ChangeRequests.create",
      {
        parameters: { space: SpaceId, input: CreateChangeRequest },
        authorize: allow.space("propose"),
        locks: Locks.space
      },
      function* ({ input }, { space, caller, records }) {
        const createdAt = yield* now
        const id = ChangeRequestId.make(yield* ids.next)
        const request = { id, space, author: caller.user, input, createdAt }
        const { columns, revision } = yield* startOf({ content, ids }, records, request)
        const row: ChangeRequestRow = {
          id,
          space: space.id,
          number: (yield* records.next(spaces, { id: space.id }, "changeRequests"))!,
          status: "draft",
          mergeRules: null,
          createdBy: caller.user,
          agentTaskId: input.agentTaskId ?? null,
          revisionMergedAncestor: null,
          revisionMerged: null,
          comments: 0,
          createdAt,
          updatedAt: createdAt,
          ...columns
        }
        yield* records.insert(changeRequests, row)
        if (revision !== undefined) yield* records.insert(revisions, revision)
        yield* records.insert(contributors, { changeRequest: row.id, user: caller.user })
        yield* updateCounts(records, space, null, row.status)
        return yield* presentChangeRequest(records, yield* linkBase, space, row)
      }
    ),

    update: command(
      "ChangeRequests.update",
      {
        parameters: { space: SpaceId, changeRequest: ChangeRequestRef, input: UpdateChangeRequest },
        authorize: allow.changeRequest("edit"),
        locks: Locks.space
      },
      function* ({ input }, { space, changeRequest, role, records }) {
        const { subject = changeRequest.subject, status = changeRequest.status } = input
        const { mergeRules = changeRequest.mergeRules } = input
        if (input.mergeRules !== undefined) yield* access.requireOnSpace(role, "configure")
        const description =
          input.description === undefined
            ? changeRequest.description
            : yield* decodeDescription(input.description)
        const conflict = statusConflict(changeRequest.status, status)
        if (conflict !== undefined) return yield* conflict
        const set = { subject, description, mergeRules, status, updatedAt: yield* now }
        yield* records.updateUncounted(changeRequests, whereId(changeRequest), set)
        if (status !== changeRequest.status) yield* updateCounts(records, space, changeRequest.status, status)
        return yield* presentChangeRequest(records, yield* linkBase, space, { ...changeRequest, ...set })
      }
    ),

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
    ),

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

/** Operations on change requests: see {@link ChangeRequestsOperations}. */
export class ChangeRequests extends Context.Service<ChangeRequests, ChangeRequestsOperations>()(
  "@lectern/core/ChangeRequests"
) {
  static readonly layer: Layer.Layer<
    ChangeRequests,
    never,
    Operations | Access | ContentStore | Outlines | TransactionEvents | Ids
  > = Layer.effect(ChangeRequests, makeChangeRequests)
}
