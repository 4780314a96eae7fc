/** The subjects of comments: spaces and change requests. All other operations on comments treat both alike. */
import { Context, Effect, Layer, Schema } from "effect"
import { Access, type Caller } from "../../access/Access.ts"
import type { CurrentUser } from "../../access/CurrentUser.ts"
import type { Granted, GrantedRecords } from "../../access/grants/Grant.ts"
import type { TargetError } from "../../access/operations/Authorization.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { resource } from "../../kernel/schema/resource.ts"
import { type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import {
  ChangeRequestRef,
  type ChangeRequestRow,
  changeRequests
} from "../../model/change-requests/ChangeRequest.ts"
import { isClosed } from "../../model/comments/CommentRules.ts"
import type { RevisionId } from "../../model/content/Revision.ts"
import type { RoleOrGuest } from "../../model/roles/Role.ts"
import { SpaceId, type SpaceRow, spaces } from "../../model/spaces/Space.ts"
import { ContentAccess } from "../content/ContentAccess.ts"

/** Identifies what is commented: a space, or a change request of it by its id or number. */
export class SubjectRef extends resource<SubjectRef>()(
  Schema.Struct({
    /** The id of the space. */
    space: SpaceId,
    /** The id of the change request, or its number in the space. If absent, the space itself is commented. */
    changeRequest: Schema.optionalKey(ChangeRequestRef)
  })
) {}

/** What is commented, with the caller and their role on it. */
export interface Subject extends Granted {
  /** The id that its comments are stored with: that of the change request, or of the space. */
  readonly id: string
  readonly space: SpaceRow
  readonly changeRequest: ChangeRequestRow | undefined
  readonly caller: Caller
  readonly role: RoleOrGuest
  /** The current revision of its content. */
  readonly revision: RevisionId
  /** Whether it accepts no new comments. */
  readonly isClosed: boolean
  /** Its address in the API. */
  readonly location: string
}

const makeSubjects = Effect.gen(function* () {
  const access = yield* Access
  const content = yield* ContentAccess
  const base = yield* PublicUrl

  return {
    /** Loads the subject of comments if the caller can read it. */
    open: Effect.fnUntraced(function* ({
      space: id,
      changeRequest: ref
    }: SubjectRef): Effect.fn.Return<Subject, TargetError | StorageUnavailable, CurrentUser> {
      const granted =
        ref === undefined
          ? { ...(yield* access.space(id, "read")), changeRequest: undefined }
          : yield* access.changeRequest(id, ref, "view")
      const { space, changeRequest, caller, role, grant } = granted
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
        location: changeRequest === undefined ? location : `${location}/change-requests/${changeRequest.id}`
      }
    }),

    /** The current content of a subject. */
    treeOf: ({ space, revision, grant }: Subject) =>
      Effect.map(
        Effect.catchTag(content.revisionOf(grant.records, space.id, revision), "NotFound", Effect.die),
        ({ root }) => content.treeAt(root)
      ),

    /** Adds `by` to the counter of open comments of a subject. */
    updateCount: (records: GrantedRecords, { space, changeRequest }: Subject, by: number) =>
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

/** The methods of {@link Subjects}. */
export interface SubjectsService extends Effect.Success<typeof makeSubjects> {}

/** Loads the subjects of comments. */
export class Subjects extends Context.Service<Subjects, SubjectsService>()("@lectern/core/Subjects") {
  static readonly layer: Layer.Layer<Subjects, never, Access | ContentAccess> = Layer.effect(
    Subjects,
    makeSubjects
  )
}
