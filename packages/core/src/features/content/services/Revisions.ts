/** Operations on the history of the content of a space: its revisions, and the pages that were deleted. */

import { type Command, Locks, Operations, type Query, type TargetError } from "@lectern/access"
import { newRevision } from "@lectern/content"
import { MarkdownEngine } from "@lectern/formats"
import { Ids, makeLinkBase, now, readPage, TransactionEvents, Where } from "@lectern/kernel"
import {
  type ArchivedPageRow,
  archivedPages,
  type RevisionRow,
  revisions,
  type SpaceRow,
  spaces
} from "@lectern/kernel/tables"
import { ChangeRequestRef } from "@lectern/model/change-requests"
import type { ArchivedPage, EditedContent, RevisionSummary } from "@lectern/model/content"
import { EditableContent, PageId, RevisionId } from "@lectern/model/content"
import { NotFound } from "@lectern/model/errors"
import { type Page, PageQuery } from "@lectern/model/schema"
import { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import { ContentAccess, type ContentError } from "../ContentAccess.ts"
import { RevisionCommitted } from "../ContentEvents.ts"
import { ContentStore } from "../ContentStore.ts"
import { makeWrite, requireEditable } from "../edit/edit.ts"
import { FileUrls } from "../FileUrls.ts"
import { Outlines } from "../Outlines.ts"
import { presentRevisions } from "../presentRevisions.ts"

/** Operations on the history of spaces, on behalf of the `CurrentUser`. */
export interface RevisionsOperations {
  /**
   * Lists the revisions of a space without the revisions of its change requests, newest first. The first is the current
   * content. Requires the role `read` on the space.
   */
  readonly list: Query<{ space: SpaceId; input?: PageQuery }, Page<RevisionSummary>, ContentError>
  /**
   * Lists the saves of a change request, newest first: its own revisions, without the content of the space that it is based on.
   * Automatic saves that were joined are one revision, with the times of the first and the last. Requires the role `read` on the
   * space.
   */
  readonly listOfChangeRequest: Query<
    { space: SpaceId; changeRequest: typeof ChangeRequestRef.Type; input?: PageQuery },
    Page<RevisionSummary>,
    TargetError
  >
  /**
   * Restores the content of a revision of the space, as a new revision of the type `rollback`, and returns its id. If
   * the space has this content already, returns the id of its current revision. Requires the role `edit` on the space.
   * Fails with `NotFound` for a revision of a change request, and with `Conflict` if the space is locked.
   */
  readonly restore: Command<
    { content: EditableContent; revision: RevisionId },
    { readonly revision: RevisionId },
    ContentError
  >
  /**
   * Lists the pages that were deleted from the content of a space and not restored since, latest first. Requires the
   * role `read` on the space.
   */
  readonly listArchivedPages: Query<{ space: SpaceId; input?: PageQuery }, Page<ArchivedPage>, ContentError>
  /**
   * Restores a deleted page with its descendants, as a new revision of the type `rollback`. If its former place is
   * occupied or no longer exists, the nearest free place is used. Requires the role `edit` on the space. Fails with
   * `NotFound` if the page is not archived, and with `Conflict` if the space is locked.
   */
  readonly restorePage: Command<{ content: EditableContent; page: PageId }, EditedContent, ContentError>
}

const makeHistory = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const content = yield* ContentStore
  const linkBase = yield* makeLinkBase

  return {
    list: query(
      "Revisions.list",
      { parameters: { space: SpaceId, input: PageQuery }, authorize: allow.space("read") },
      function* ({ input }, { space, records }) {
        const base = yield* linkBase
        return yield* readPage(records, input, {
          table: revisions,
          list: ["revisions", space.id],
          where: Where.and<RevisionRow>(Where.eq("space", space.id), Where.isNull("changeRequest")),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => presentRevisions(content, records, base, space.id, rows)
        })
      }
    ),

    listOfChangeRequest: query(
      "Revisions.listOfChangeRequest",
      {
        parameters: { space: SpaceId, changeRequest: ChangeRequestRef, input: PageQuery },
        authorize: allow.changeRequest("view")
      },
      function* ({ input }, { space, changeRequest, records }) {
        const base = yield* linkBase
        return yield* readPage(records, input, {
          table: revisions,
          list: ["revisionsOfChangeRequest", changeRequest.id],
          where: Where.and<RevisionRow>(
            Where.eq("changeRequest", changeRequest.id),
            Where.isNull("replacedAt")
          ),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => presentRevisions(content, records, base, space.id, rows)
        })
      }
    ),

    listArchivedPages: query(
      "Revisions.listArchivedPages",
      { parameters: { space: SpaceId, input: PageQuery }, authorize: allow.space("read") },
      function* ({ input }, { space, records }) {
        return yield* readPage(records, input, {
          table: archivedPages,
          list: ["archivedPages", space.id],
          where: Where.eq<ArchivedPageRow, "space">("space", space.id),
          orderBy: ["archivedAt"],
          direction: "desc",
          present: (rows) =>
            Effect.succeed(
              rows.map(
                ({ page, type, title, revision, archivedAt }): ArchivedPage => ({
                  object: "archived-page",
                  id: page,
                  type,
                  title,
                  revision,
                  archivedAt
                })
              )
            )
        })
      }
    )
  }
})

const makeRestoration = Effect.gen(function* () {
  const { command } = yield* Operations
  const access = yield* ContentAccess
  const content = yield* ContentStore
  const ids = yield* Ids
  const events = yield* TransactionEvents
  const linkBase = yield* makeLinkBase

  const write = makeWrite({
    access,
    content,
    ids,
    events,
    linkBase,
    urls: yield* FileUrls,
    outlines: yield* Outlines,
    convert: yield* MarkdownEngine
  })

  return {
    restore: command(
      "Revisions.restore",
      {
        parameters: { content: EditableContent, revision: RevisionId },
        authorize: access.allow("edit"),
        locks: ({ content }) => Locks.space(content)
      },
      function* ({ revision: id }, resolved) {
        const { space, records, revision: head, caller } = resolved
        const source = yield* access.revisionOf(records, space.id, id)
        if (source.changeRequest !== null) return yield* NotFound.of("revision")
        yield* requireEditable(resolved)
        if (source.root === head.root) return { revision: head.id }
        const time = yield* now
        const revision = yield* newRevision(ids, {
          organization: space.organization,
          space: space.id,
          type: "rollback",
          root: source.root,
          parents: [head.id],
          author: caller.user,
          createdAt: time
        })
        yield* records.insert(revisions, revision)
        yield* records.updateUncounted(spaces, Where.eq<SpaceRow, "id">("id", space.id), {
          revision: revision.id,
          updatedAt: time
        })
        yield* events.publish(RevisionCommitted, {
          space: space.id,
          organization: space.organization,
          before: head.root,
          after: source.root
        })
        return { revision: revision.id }
      }
    ),

    restorePage: command(
      "Revisions.restorePage",
      {
        parameters: { content: EditableContent, page: PageId },
        authorize: access.allow("edit"),
        locks: ({ content }) => Locks.space(content)
      },
      function* ({ page }, resolved) {
        const archived = yield* resolved.records.get(archivedPages, { space: resolved.space.id, page })
        if (archived === undefined) return yield* NotFound.of("page")
        return yield* write(resolved, {
          changes: [{ operation: "revert_page", page, revision: archived.revision }]
        })
      }
    )
  }
})

const makeRevisions = Effect.gen(function* () {
  return { ...(yield* makeHistory), ...(yield* makeRestoration) }
})

/** Operations on the history of spaces: see {@link RevisionsOperations}. */
export class Revisions extends Context.Service<Revisions, RevisionsOperations>()("@lectern/core/Revisions") {
  static readonly layer: Layer.Layer<
    Revisions,
    never,
    Operations | ContentAccess | ContentStore | FileUrls | Ids | TransactionEvents | Outlines
  > = Layer.effect(Revisions, makeRevisions)
}
