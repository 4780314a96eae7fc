/** What is commented: a space, or a change request of it. Everything else about threads is the same for both. */
import { Context, Effect, Layer, Schema } from "effect"
import { Access, type Caller } from "../../access/Access.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { Records, Where } from "../../kernel/storage/index.ts"
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

/** Names what is commented. */
export const SubjectRef = Schema.Struct({
  space: SpaceId,
  changeRequest: Schema.optionalKey(ChangeRequestRef)
})
export type SubjectRef = typeof SubjectRef.Type

/** What is commented, with the caller's place in it. */
export interface Subject {
  /** The id that its comments are found by. */
  readonly id: string
  readonly space: SpaceRow
  readonly changeRequest: ChangeRequestRow | undefined
  readonly caller: Caller
  readonly role: RoleOrGuest
  /** The revision of its content as it is now. */
  readonly revision: RevisionId
  /** Whether it takes no new comments any more. */
  readonly isClosed: boolean
  /** Its address in the API. */
  readonly location: string
}

const makeSubjects = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const content = yield* ContentAccess
  const base = yield* PublicUrl

  return {
    /** The subject of a thread, for whoever may read it. */
    open: Effect.fnUntraced(function* ({ space: id, changeRequest: ref }: SubjectRef) {
      const entered =
        ref === undefined
          ? { ...(yield* access.space(id, "read")), changeRequest: undefined }
          : yield* access.changeRequest(id, ref, "view")
      const { space, changeRequest, caller, role } = entered
      const location = `${base}/v1/spaces/${space.id}`
      return {
        id: changeRequest?.id ?? space.id,
        space,
        changeRequest,
        caller,
        role,
        revision: changeRequest?.revision ?? space.revision,
        isClosed: isClosed(changeRequest),
        location: changeRequest === undefined ? location : `${location}/change-requests/${changeRequest.id}`
      } satisfies Subject
    }),

    /** The content of a subject as it is now. */
    treeOf: ({ space, revision }: Subject) =>
      Effect.map(
        Effect.catchTag(content.revisionOf(space.id, revision), "NotFound", Effect.die),
        ({ root }) => content.treeAt(root)
      ),

    /** Adds to the count of open comments of a subject. */
    count: ({ space, changeRequest }: Subject, by: number) =>
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

/** See the module's comment. */
export class Subjects extends Context.Service<Subjects, Effect.Success<typeof makeSubjects>>()(
  "@lectern/core/Subjects"
) {
  static readonly layer: Layer.Layer<Subjects, never, Records | Access | ContentAccess> = Layer.effect(
    Subjects,
    makeSubjects
  )
}
