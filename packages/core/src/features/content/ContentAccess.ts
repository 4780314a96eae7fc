/** Authorizes access to content: that of a space, of a change request, or of a revision of the space. */

import {
  Access,
  type AdmittedVisitor,
  type Authorization,
  type Caller,
  CurrentUser,
  type Grant,
  type Granted,
  type GrantedReader,
  VisitorAccess
} from "@lectern/access"
import { Trees as Tree, visibleTree } from "@lectern/content"
import {
  type BlobHash,
  cacheShare,
  makeLinkBase,
  type StorageUnavailable,
  toTimestamp,
  Where
} from "@lectern/kernel"
import { type ChangeRequestRow, type RevisionRow, revisions, type SpaceRow } from "@lectern/kernel/tables"
import type { ContentOf, RevisionId } from "@lectern/model/content"
import { type Conflict, type Forbidden, type Gone, NotFound } from "@lectern/model/errors"
import {
  type ChangeRequestAction,
  changeRequestActions,
  type SpaceAction,
  spaceActions
} from "@lectern/model/roles"
import type { SpaceId } from "@lectern/model/spaces"
import { Clock, Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { changeRequestAppUrl } from "../../views/change-requests/ChangeRequestView.ts"
import { isRetained } from "./automaticSaves.ts"
import { ContentStore } from "./ContentStore.ts"
import { RevisionRetention } from "./RevisionRetention.ts"

/** Content that the caller has access to. */
export interface ResolvedContent extends Granted {
  readonly caller: Caller
  readonly space: SpaceRow
  /** The change request whose content this is; undefined for the content of a space. */
  readonly changeRequest: ChangeRequestRow | undefined
  /** Present if a visitor of a site reads the content, whose conditions are evaluated for them. */
  readonly visitor?: AdmittedVisitor
  readonly revision: RevisionRow
  /** The pages, files and reusable contents; for a visitor, without the pages whose conditions they do not meet. */
  readonly tree: Tree.Tree
  /** All pages, files and reusable contents, which users see. */
  readonly wholeTree: Tree.Tree
  /** The URL in the application that paths of pages are appended to. */
  readonly appUrl: string
  /** The URL of the content in the API. */
  readonly apiUrl: string
}

/**
 * The errors of operations on content: `NotFound` if the content does not exist or the caller cannot see it,
 * `Forbidden` if the caller's role does not suffice, `Gone` if the space is in the trash, and `Conflict` if its state
 * does not permit the operation.
 */
export type ContentError = NotFound | Forbidden | Conflict | Gone

/** The actions on content that operations authorize. */
export type ContentAction = "read" | "edit"

/** The time in which visitors can read a revision after another has replaced it, in milliseconds: 10 minutes. */
const replacedRevisionMillis = 10 * 60 * 1000

/** The number of replaced revisions that visitors can read. */
const maximumReplacedRevisions = 20

type Failure = ContentError | StorageUnavailable

/** The actions of the policy that each action on content requires. */
const requiredActions = {
  read: { space: "read", changeRequest: "view" },
  edit: { space: "edit", changeRequest: "edit" }
} as const satisfies Record<
  ContentAction,
  { readonly space: SpaceAction; readonly changeRequest: ChangeRequestAction }
>

/** The role that an action requires on every content; `by relation` if it depends on the content and its author. */
const requiredRole = (action: ContentAction) => {
  const { space, changeRequest } = requiredActions[action]
  const { own, other } = changeRequestActions[changeRequest]
  const role = spaceActions[space]
  return own === role && other === role ? role : "by relation"
}

/** The maximum number of revisions that are cached after their creation. */
const maximumCreatedRevisions = 1_000

/** The maximum number of revisions that are cached. */
const maximumCachedRevisions = 10_000

const makeRevisionLookup = Effect.gen(function* () {
  const retentionMs = yield* RevisionRetention

  const cachedRevisions = new LRUCache<string, RevisionRow>({
    // Unlike `max`, it allocates no memory for entries that do not exist.
    maxSize: yield* cacheShare(maximumCachedRevisions),
    sizeCalculation: () => 1
  })

  /** Revisions that transactions have created. A row that refers to one shows that its transaction was committed. */
  const created = new LRUCache<string, RevisionRow>({
    maxSize: yield* cacheShare(maximumCreatedRevisions),
    sizeCalculation: () => 1
  })

  /** Remembers a revision that the open transaction creates, until it is read as the head of its content. */
  const noteCreated = (revision: RevisionRow): void => {
    created.set(`${revision.space} ${revision.id}`, revision)
  }

  /** Whether a cached revision cannot have been removed. */
  const isCurrent = (revision: RevisionRow, nowMs: number): boolean =>
    isRetained(revision, nowMs) &&
    (retentionMs === undefined || revision.createdAt > toTimestamp(nowMs - retentionMs))

  /**
   * Returns a revision of a space, or `NotFound`. Revisions never change, and are removed with their space and by
   * retention. `isHead` states that a row refers to the revision, so that retention cannot have removed it.
   */
  const revisionOf = Effect.fnUntraced(function* (
    records: GrantedReader,
    space: SpaceId,
    id: RevisionId,
    isHead = false
  ): Effect.fn.Return<RevisionRow, NotFound | StorageUnavailable> {
    const key = `${space} ${id}`
    const own = isHead ? created.get(key) : undefined
    if (own !== undefined && !(yield* records.isInTransaction)) cachedRevisions.set(key, own)
    const cached = cachedRevisions.get(key) ?? own
    if (cached !== undefined && (isHead || isCurrent(cached, yield* Clock.currentTimeMillis))) return cached
    const revision = yield* records.first(revisions, {
      where: Where.and<RevisionRow>(Where.eq("id", id), Where.eq("space", space))
    })
    if (revision === undefined) return yield* NotFound.of("revision")
    // A revision that a transaction has created is removed again if the transaction is rolled back.
    if (!(yield* records.isInTransaction)) cachedRevisions.set(key, revision)
    return revision
  })

  /**
   * Returns a revision that is the published content, or was until 10 minutes ago: a renderer that has read the space
   * completes its page while the space is edited. Visitors cannot read older revisions, whose content is no longer
   * published.
   */
  const recentRevision = Effect.fnUntraced(function* (
    records: GrantedReader,
    space: SpaceRow,
    id: RevisionId
  ): Effect.fn.Return<RevisionRow, NotFound | StorageUnavailable> {
    const replacedAfter = toTimestamp((yield* Clock.currentTimeMillis) - replacedRevisionMillis)
    let revision = yield* revisionOf(records, space.id, space.revision, true)
    for (let age = 0; revision.id !== id; age++) {
      const [previous] = revision.parents
      if (previous === undefined || revision.createdAt < replacedAfter || age === maximumReplacedRevisions) {
        return yield* NotFound.of("revision")
      }
      revision = yield* revisionOf(records, space.id, previous)
    }
    return revision
  })

  return { revisionOf, recentRevision, noteCreated }
})

const makeAuthorize = Effect.gen(function* () {
  const access = yield* Access
  const visitors = yield* VisitorAccess

  const authorize = Effect.fnUntraced(function* (
    ref: ContentOf,
    action: ContentAction
  ): Effect.fn.Return<
    {
      space: SpaceRow
      caller: Caller
      changeRequest: ChangeRequestRow | undefined
      grant: Grant
      visitor?: AdmittedVisitor
    },
    Failure,
    CurrentUser
  > {
    const { visitor } = yield* CurrentUser
    if (visitor !== undefined) {
      if (action !== "read" || ref.changeRequest !== undefined) return yield* NotFound.of("space")
      return { ...(yield* visitors.space(visitor, ref.space)), changeRequest: undefined }
    }
    if (ref.changeRequest !== undefined) {
      return yield* access.changeRequest(ref.space, ref.changeRequest, requiredActions[action].changeRequest)
    }
    const { space, caller, grant } = yield* access.space(ref.space, requiredActions[action].space)
    return { space, caller, changeRequest: undefined, grant }
  })

  return { authorize }
})

const makeContentAccess = Effect.gen(function* () {
  const content = yield* ContentStore
  const linkBase = yield* makeLinkBase
  const { revisionOf, recentRevision, noteCreated } = yield* makeRevisionLookup
  const { authorize } = yield* makeAuthorize

  /** Authorizes the caller to read or edit the content that a reference names, and loads its head or its revision. */
  const open = Effect.fnUntraced(function* (
    ref: ContentOf,
    action: ContentAction
  ): Effect.fn.Return<ResolvedContent, Failure, CurrentUser> {
    const { space, caller, changeRequest, grant, visitor } = yield* authorize(ref, action)
    const head = changeRequest?.revision ?? space.revision
    const revision =
      visitor === undefined
        ? yield* revisionOf(grant.records, space.id, ref.revision ?? head, ref.revision === undefined)
        : yield* recentRevision(grant.records, space, ref.revision ?? head)
    const wholeTree = Tree.readTree(content.maps, revision.root)
    const base = yield* linkBase
    const root = `${base}/v1/spaces/${space.id}`
    return {
      grant,
      caller,
      space,
      changeRequest,
      ...(visitor === undefined ? {} : { visitor }),
      revision,
      tree: visitor === undefined ? wholeTree : visibleTree(wholeTree, visitor.claims),
      wholeTree,
      appUrl:
        changeRequest !== undefined
          ? changeRequestAppUrl(base, changeRequest)
          : ref.revision !== undefined
            ? `${base}/s/${space.id}/~/revisions/${ref.revision}/`
            : `${base}/s/${space.id}/`,
      apiUrl:
        changeRequest !== undefined
          ? `${root}/change-requests/${changeRequest.id}/content`
          : ref.revision !== undefined
            ? `${root}/revisions/${ref.revision}`
            : `${root}/content`
    }
  })

  return {
    /** Returns a revision of a space. Fails with `NotFound` if the space has no such revision. */
    revisionOf,

    noteCreated,

    /**
     * Authorizes the caller to read or edit the content that a reference names, and loads it: the revision that the
     * reference names, or else the head. Fails with a {@link ContentError}.
     */
    open,

    /** Returns the tree of the content with a root hash. It authorizes nothing. */
    treeAt: (root: BlobHash) => Tree.readTree(content.maps, root),

    /**
     * Authorizes an operation on the content that its parameter `content` names. `content.read` is `space.read`, or
     * `changeRequest.view` for a change request; `content.edit` is `space.edit`, or `changeRequest.edit`.
     */
    allow: (
      action: ContentAction
    ): Authorization<{ readonly content: ContentOf }, ResolvedContent, ContentError> => ({
      rule: { kind: "policy", action: `content.${action}`, role: requiredRole(action) },
      check: ({ content }) =>
        Effect.flatMap(CurrentUser, ({ visitor }) =>
          visitor === undefined ? open(content, action) : Effect.fail(NotFound.of("space"))
        )
    }),

    /** Authorizes users to read like `allow("read")`, and also visitors of a published site that shows them the space. */
    allowPublished: {
      rule: {
        kind: "policy",
        action: "content.read",
        role: requiredRole("read"),
        visitors: "token"
      },
      check: ({ content }) => open(content, "read")
    } satisfies Authorization<{ readonly content: ContentOf }, ResolvedContent, ContentError>
  }
})

/** The methods of {@link ContentAccess}. */
export interface ContentAccessService extends Effect.Success<typeof makeContentAccess> {}

/** Authorizes callers for content and loads it. */
export class ContentAccess extends Context.Service<ContentAccess, ContentAccessService>()(
  "@lectern/core/ContentAccess"
) {
  static readonly layer: Layer.Layer<ContentAccess, never, Access | VisitorAccess | ContentStore> =
    Layer.effect(ContentAccess, makeContentAccess)
}
