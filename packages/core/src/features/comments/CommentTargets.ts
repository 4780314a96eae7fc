/** The targets of comments: spaces and change requests. All other modules of comments treat both alike. */

import {
  Access,
  type Caller,
  type CurrentUser,
  type Granted,
  type GrantedRecords,
  type TargetError
} from "@lectern/access"
import { makeLinkBase, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type ChangeRequestRow,
  changeRequests,
  isClosed,
  type SpaceRow,
  spaces
} from "@lectern/kernel/tables"
import { ChangeRequestRef } from "@lectern/model/change-requests"
import type { RevisionId } from "@lectern/model/content"
import type { RoleOrGuest } from "@lectern/model/roles"
import { resource } from "@lectern/model/schema"
import { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer, Schema } from "effect"
import { ContentAccess } from "../content/ContentAccess.ts"

/** Identifies the target of comments: a space, or one of its change requests by its id or number. */
export class CommentTargetRef extends resource<CommentTargetRef>()(
  Schema.Struct({
    /** The id of the space. */
    space: SpaceId,
    /** The id of the change request, or its number in the space. If absent, the target is the space itself. */
    changeRequest: Schema.optionalKey(ChangeRequestRef)
  })
) {}

/** A space or a change request that the caller can read, with the caller's role on it. */
export interface CommentTarget extends Granted {
  /** The value of the column `subject` of its comments: the id of the change request or of the space. */
  readonly id: string
  readonly space: SpaceRow
  readonly changeRequest: ChangeRequestRow | undefined
  readonly caller: Caller
  readonly role: RoleOrGuest
  /** The current revision of its content. */
  readonly revision: RevisionId
  /** Whether it accepts no new comments. */
  readonly isClosed: boolean
  /** The base URL of links. */
  readonly base: string
  /** Its URL in the API. */
  readonly location: string
}

/** Returns the target of an authorized change request, or of a space without one. */
export const commentTargetOf = (
  base: string,
  {
    space,
    changeRequest,
    caller,
    role,
    grant
  }: Pick<CommentTarget, "space" | "caller" | "role" | "grant"> & {
    readonly changeRequest: ChangeRequestRow | undefined
  }
): CommentTarget => {
  const location = `${base}/v1/spaces/${space.id}`
  return {
    id: changeRequest?.id ?? space.id,
    space,
    changeRequest,
    grant,
    caller,
    role,
    revision: changeRequest?.revision ?? space.revision,
    isClosed: isClosed(changeRequest),
    base,
    location: changeRequest === undefined ? location : `${location}/change-requests/${changeRequest.id}`
  }
}

const makeCommentTargets = Effect.gen(function* () {
  const access = yield* Access
  const content = yield* ContentAccess
  const linkBase = yield* makeLinkBase

  return {
    /** Loads a target. Fails with `NotFound` if it does not exist, or the caller cannot read it. */
    open: Effect.fnUntraced(function* ({
      space: id,
      changeRequest: ref
    }: CommentTargetRef): Effect.fn.Return<CommentTarget, TargetError | StorageUnavailable, CurrentUser> {
      const granted =
        ref === undefined
          ? { ...(yield* access.space(id, "read")), changeRequest: undefined }
          : yield* access.changeRequest(id, ref, "view")
      return commentTargetOf(yield* linkBase, granted)
    }),

    /** Loads the tree of the current content of a target. */
    treeOf: ({ space, revision, grant }: CommentTarget) =>
      Effect.map(
        Effect.catchTag(content.revisionOf(grant.records, space.id, revision), "NotFound", Effect.die),
        ({ root }) => content.treeAt(root)
      ),

    /** Adds `by`, which may be negative, to the number of open comments of a target. */
    updateCount: (records: GrantedRecords, { space, changeRequest }: CommentTarget, by: number) =>
      changeRequest === undefined
        ? records.update(spaces, Where.eq<SpaceRow, "id">("id", space.id), {}, { comments: by })
        : records.update(
            changeRequests,
            Where.eq<ChangeRequestRow, "id">("id", changeRequest.id),
            {},
            { comments: by }
          )
  }
})

/** The methods of {@link CommentTargets}. */
export interface CommentTargetsService extends Effect.Success<typeof makeCommentTargets> {}

/** Loads the targets of comments. */
export class CommentTargets extends Context.Service<CommentTargets, CommentTargetsService>()(
  "@lectern/core/CommentTargets"
) {
  static readonly layer: Layer.Layer<CommentTargets, never, Access | ContentAccess> = Layer.effect(
    CommentTargets,
    makeCommentTargets
  )
}
