/**
 * The way to content: that of a space, of a change request, or of a revision of the space, for what one is about to
 * do with it.
 */

import { Context, Effect, Layer } from "effect"
import { Access, type Caller } from "../../access/Access.ts"
import type { CurrentUser } from "../../access/CurrentUser.ts"
import { type Conflict, type Forbidden, type Gone, NotFound } from "../../kernel/errors.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { type BlobHash, Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import type { ChangeRequestRow } from "../../model/change-requests/ChangeRequest.ts"
import type { ContentOf } from "../../model/content/ContentOf.ts"
import { type RevisionId, type RevisionRow, revisions } from "../../model/content/Revision.ts"
import type { ChangeRequestAction, SpaceAction } from "../../model/roles/Policy.ts"
import type { SpaceId, SpaceRow } from "../../model/spaces/Space.ts"
import { changeRequestAppUrl } from "../../views/change-requests/ChangeRequestView.ts"
import { ContentStore } from "./ContentStore.ts"
import * as Tree from "./Tree.ts"

/** Content that the caller has come to. */
export interface Located {
  readonly caller: Caller
  readonly space: SpaceRow
  /** There of the content of a change request. */
  readonly changeRequest: ChangeRequestRow | undefined
  readonly revision: RevisionRow
  /** Whether it is that of a revision, which never changes. */
  readonly isRevision: boolean
  readonly tree: Tree.Tree
  /** The address in the application that paths of pages are appended to. */
  readonly app: string
  /** The address in the API that the content's own operations are under. */
  readonly location: string
}

type Failure = NotFound | Forbidden | Conflict | Gone | StorageUnavailable

const makeContentAccess = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const content = yield* ContentStore
  const base = yield* PublicUrl

  /** A revision of a space, by its id. */
  const revisionOf = Effect.fnUntraced(function* (
    space: SpaceId,
    id: RevisionId
  ): Effect.fn.Return<RevisionRow, NotFound | StorageUnavailable> {
    const revision = yield* records.first(revisions, {
      where: Where.and<RevisionRow>(Where.eq("id", id), Where.eq("space", space))
    })
    return revision ?? (yield* NotFound.of("revision"))
  })

  const enter = Effect.fnUntraced(function* (
    ref: ContentOf,
    action: "read" | "edit"
  ): Effect.fn.Return<
    { space: SpaceRow; caller: Caller; changeRequest: ChangeRequestRow | undefined },
    Failure,
    CurrentUser
  > {
    if (ref.changeRequest !== undefined) {
      const needed = { read: "view", edit: "edit" } as const satisfies Record<
        typeof action,
        ChangeRequestAction
      >
      return yield* access.changeRequest(ref.space, ref.changeRequest, needed[action])
    }
    const { space, caller } = yield* access.space(ref.space, action satisfies SpaceAction)
    return { space, caller, changeRequest: undefined }
  })

  return {
    revisionOf,

    /** The content of a root. */
    treeAt: (root: BlobHash) => Tree.readTree(content.maps, root),

    /** The content that a reference names, to read it or to edit it. */
    open: Effect.fnUntraced(function* (
      ref: ContentOf,
      action: "read" | "edit"
    ): Effect.fn.Return<Located, Failure, CurrentUser> {
      const { space, caller, changeRequest } = yield* enter(ref, action)
      const head = changeRequest?.revision ?? space.revision
      const revision = yield* revisionOf(space.id, ref.revision ?? head)
      const root = `${base}/v1/spaces/${space.id}`
      return {
        caller,
        space,
        changeRequest,
        revision,
        isRevision: ref.revision !== undefined,
        tree: Tree.readTree(content.maps, revision.root),
        app:
          changeRequest !== undefined
            ? changeRequestAppUrl(base, changeRequest)
            : ref.revision !== undefined
              ? `${base}/s/${space.id}/~/revisions/${ref.revision}/`
              : `${base}/s/${space.id}/`,
        location:
          changeRequest !== undefined
            ? `${root}/change-requests/${changeRequest.id}/content`
            : ref.revision !== undefined
              ? `${root}/revisions/${ref.revision}`
              : `${root}/content`
      }
    })
  }
})

/** See the module's comment. */
export class ContentAccess extends Context.Service<ContentAccess, Effect.Success<typeof makeContentAccess>>()(
  "@lectern/core/ContentAccess"
) {
  static readonly layer: Layer.Layer<ContentAccess, never, Records | Access | ContentStore> = Layer.effect(
    ContentAccess,
    makeContentAccess
  )
}
