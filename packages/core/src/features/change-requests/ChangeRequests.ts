/** Operations on change requests. */

import {
  Access,
  type AccessError,
  alsoForVisitors,
  type Command,
  CurrentUser,
  type GrantedRecords,
  Locks,
  Operations,
  type Query,
  type TargetError
} from "@lectern/access"
import { Ids, makeLinkBase, now, readPage, type TransactionEvents, Where } from "@lectern/kernel"
import {
  type ChangeRequestRow,
  changeRequests,
  contributors,
  decodeDescription,
  revisions,
  type SpaceRow,
  spaces
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
import { NotFound } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import type { Page } from "@lectern/model/schema"
import { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import { presentChangeRequest, presentChangeRequests } from "../../views/change-requests/ChangeRequestView.ts"
import { ContentStore } from "../content/ContentStore.ts"
import type { Outlines } from "../content/Outlines.ts"
import { makeMerging, makeUpdateFromSpace, whereId } from "./changeRequestMerging.ts"
import { whereListed } from "./changeRequestQueries.ts"
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

const makeReads = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const view = allow.changeRequest("view")
  // To visitors, no change request exists: renderers display a missing page for 404, and an error for 401.
  const viewOrHide = {
    rule: alsoForVisitors(view.rule, "token"),
    check: (target: Parameters<typeof view.check>[0]) =>
      Effect.flatMap(CurrentUser, ({ visitor }) =>
        visitor === undefined ? view.check(target) : Effect.fail(NotFound.of("change request"))
      )
  }
  const access = yield* Access
  const linkBase = yield* makeLinkBase

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
        authorize: viewOrHide
      },
      function* (_, { space, changeRequest, records }) {
        return yield* presentChangeRequest(records, yield* linkBase, space, changeRequest)
      }
    )
  }
})

const makeEdits = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const content = yield* ContentStore
  const ids = yield* Ids
  const access = yield* Access
  const linkBase = yield* makeLinkBase

  /** Updates the counters of a space for a change of status. */
  const updateCounts = (
    records: GrantedRecords,
    space: SpaceRow,
    from: ChangeRequestStatus | null,
    to: ChangeRequestStatus
  ) => records.updateUncounted(spaces, Where.eq<SpaceRow, "id">("id", space.id), {}, countsOf(from, to))

  return {
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
          organization: space.organization,
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
        yield* records.insert(contributors, {
          organization: row.organization,
          changeRequest: row.id,
          user: caller.user
        })
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
    )
  }
})

const makeChangeRequests = Effect.gen(function* () {
  return {
    ...(yield* makeReads),
    ...(yield* makeEdits),
    ...(yield* makeMerging),
    ...(yield* makeUpdateFromSpace)
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
