/** Operations on the history of the content of a space: its revisions, and the pages that were deleted. */

import { MarkdownEngine } from "@lectern/formats"
import { Ids, makeLinkBase, now, readPage, TransactionEvents, Where } from "@lectern/kernel"
import {
  type ArchivedPageRow,
  archivedPages,
  changeRequests,
  type RevisionRow,
  revisions,
  type SpaceRow,
  spaces
} from "@lectern/kernel/tables"
import type { ArchivedPage, EditedContent, RevisionSummary } from "@lectern/model/content"
import { EditableContent, PageId, RevisionId } from "@lectern/model/content"
import { NotFound } from "@lectern/model/errors"
import { type Page, PageQuery } from "@lectern/model/schema"
import { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import { Locks } from "../../../access/operations/Locks.ts"
import type { Command, Query } from "../../../access/operations/Operation.ts"
import { Operations } from "../../../access/operations/Operations.ts"
import { presentUsers } from "../../../views/users/presentUsers.ts"
import { ContentAccess, type ContentError } from "../ContentAccess.ts"
import { RevisionCommitted } from "../ContentEvents.ts"
import { ContentStore } from "../ContentStore.ts"
import { editabilityError, makeWrite } from "../edit/edit.ts"
import { FileUrls } from "../FileUrls.ts"
import { newRevision } from "../newRevision.ts"
import { Outlines } from "../Outlines.ts"

/** Operations on the history of spaces, on behalf of the `CurrentUser`. */
export interface RevisionsOperations {
  /**
   * Lists the revisions of a space without the revisions of its change requests, newest first. The first is the current
   * content. Requires the role `read` on the space.
   */
  readonly list: Query<{ space: SpaceId; input?: PageQuery }, Page<RevisionSummary>, ContentError>
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

const makeRevisions = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
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
          present: Effect.fnUntraced(function* (rows) {
            const authors = yield* presentUsers(
              records,
              base,
              rows.flatMap(({ author }) => author ?? [])
            )
            const merged = yield* records.find(changeRequests, {
              select: ["id", "number", "subject"],
              where: Where.isIn("id", [...new Set(rows.flatMap(({ mergedFrom }) => mergedFrom ?? []))])
            })
            const subjects = new Map(
              merged.map(({ id, number, subject }) => [id as string, { number, subject }])
            )
            return rows.map((row): RevisionSummary => {
              const changeRequest = row.mergedFrom === null ? undefined : subjects.get(row.mergedFrom)
              const author = row.author === null ? undefined : authors.get(row.author)
              return {
                object: "revision-summary",
                id: row.id,
                type: row.type,
                parents: row.parents,
                ...(author === undefined ? {} : { author }),
                ...(row.message === null ? {} : { message: row.message }),
                ...(row.git === null ? {} : { git: row.git }),
                ...(row.mergedFrom === null ? {} : { mergedFrom: row.mergedFrom }),
                ...(changeRequest === undefined ? {} : { changeRequest }),
                createdAt: row.createdAt,
                urls: { location: `${base}/v1/spaces/${space.id}/revisions/${row.id}` }
              }
            })
          })
        })
      }
    ),

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
        const conflict = editabilityError(resolved)
        if (conflict !== undefined) return yield* conflict
        if (source.root === head.root) return { revision: head.id }
        const time = yield* now
        const revision = yield* newRevision(ids, {
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

/** Operations on the history of spaces: see {@link RevisionsOperations}. */
export class Revisions extends Context.Service<Revisions, RevisionsOperations>()("@lectern/core/Revisions") {
  static readonly layer: Layer.Layer<
    Revisions,
    never,
    Operations | ContentAccess | ContentStore | FileUrls | Ids | TransactionEvents | Outlines
  > = Layer.effect(Revisions, makeRevisions)
}
