/** Applies batches of changes to content. A batch creates one revision, in one transaction. */

import type { GrantedRecords } from "@lectern/access"
import { emptyRoot, newRevision, ParseAllowance, Trees as Tree } from "@lectern/content"
import type { ConvertMarkdown } from "@lectern/formats"
import {
  type BlobHash,
  type Ids,
  now,
  type StorageUnavailable,
  type TransactionEvents,
  Where
} from "@lectern/kernel"
import {
  baseOf,
  type ChangeRequestRow,
  changeRequests,
  contributors,
  revisions as revisionsTable,
  type SpaceRow,
  spaces,
  whyClosed
} from "@lectern/kernel/tables"
import type { Outline } from "@lectern/markdown/outline"
import type { EditContent, EditedContent, EditedPage, EditResult, RevisionId } from "@lectern/model/content"
import { Conflict, type Forbidden, InvalidInput } from "@lectern/model/errors"
import { Effect } from "effect"
import { presentChangeRequest } from "../../../views/change-requests/ChangeRequestView.ts"
import { presentFile } from "../../../views/content/FileView.ts"
import { markReplaced, saveColumns } from "../automaticSaves.ts"
import type { ContentAccess, ResolvedContent } from "../ContentAccess.ts"
import { RevisionCommitted } from "../ContentEvents.ts"
import type { ContentStore } from "../ContentStore.ts"
import type { FileUrls } from "../FileUrls.ts"
import type { Outlines } from "../Outlines.ts"
import { apply, prepare } from "./apply.ts"
import { checkSources } from "./computedSources.ts"
import type { AnyChange, EditContext } from "./EditContext.ts"
import { rewriteMovedLinks } from "./movedLinks.ts"

/** The services that edits use. */
export interface EditServices {
  readonly access: ContentAccess["Service"]
  readonly content: ContentStore["Service"]
  readonly urls: FileUrls["Service"]
  readonly ids: Ids["Service"]
  readonly events: TransactionEvents["Service"]
  readonly outlines: Outlines["Service"]
  readonly linkBase: Effect.Effect<string>
  readonly convert: ConvertMarkdown
}

const locked = new Conflict({
  reason: "SpaceLocked",
  message: "The space is locked. Edit its content in a change request, and merge it."
})

/** Fails with `Conflict` if the content cannot be edited in its current state. */
export const requireEditable = ({ space, changeRequest }: ResolvedContent): Effect.Effect<void, Conflict> => {
  const isLocked = changeRequest === undefined && space.editMode === "locked"
  const why = isLocked ? locked : changeRequest && whyClosed(changeRequest)
  return why === undefined ? Effect.void : Effect.fail(why)
}

/** Content that the caller is authorized to edit, with the records to write it. */
type WritableContent = ResolvedContent & { readonly records: GrantedRecords }

/** Changes that are written as one revision. */
interface Edit extends Omit<EditContent, "changes"> {
  readonly changes: ReadonlyArray<AnyChange>
  /** Outlines of Markdown that was parsed before the transaction, by the hash of the Markdown. */
  readonly outlines?: ReadonlyMap<BlobHash, Outline>
}

const reverts: ReadonlySet<AnyChange["operation"]> = new Set([
  "revert_page",
  "revert_file",
  "revert_reusable_content"
])

/** A batch that consists of reverts creates a revision of the type `rollback`. */
const typeOf = ({ changes }: Edit): "rollback" | "edits" =>
  changes.length > 0 && changes.every(({ operation }) => reverts.has(operation)) ? "rollback" : "edits"

/** Returns the function that loads revisions for reverts. The default is the base of the content. */
const revertSource = (access: EditServices["access"], resolved: ResolvedContent): EditContext["revision"] =>
  Effect.fnUntraced(function* (requested, path) {
    const { space, changeRequest, revision } = resolved
    const id = requested ?? (changeRequest === undefined ? revision.parents[0] : baseOf(changeRequest))
    if (id === undefined) return access.treeAt(emptyRoot)
    const row = yield* Effect.catchTag(
      access.revisionOf(resolved.grant.records, space.id, id),
      "NotFound",
      () => Effect.fail(InvalidInput.at(path, "is not the id of a revision of this space"))
    )
    return access.treeAt(row.root)
  })

/** Moves the head of the content to a revision. Returns the change request, if the content belongs to one. */
const moveHead = Effect.fnUntraced(function* (
  { space, changeRequest, caller, records }: WritableContent,
  id: RevisionId,
  time: string,
  contentBytes: number
) {
  const set = { revision: id, updatedAt: time }
  const add = { contentBytes }
  if (changeRequest === undefined) {
    yield* records.updateUncounted(spaces, Where.eq<SpaceRow, "id">("id", space.id), set, add)
    return undefined
  }
  yield* records.updateUncounted(
    changeRequests,
    Where.eq<ChangeRequestRow, "id">("id", changeRequest.id),
    set,
    add
  )
  yield* records.insertMissingUncounted(contributors, [
    { organization: space.organization, changeRequest: changeRequest.id, user: caller.user }
  ])
  return { ...changeRequest, ...set }
})

/** Updates the search index, if primary content changed, and stores the outlines of new Markdown. */
const updateIndexes = Effect.fnUntraced(function* (
  { events, outlines }: Pick<EditServices, "events" | "outlines">,
  { space, changeRequest, revision, tree }: ResolvedContent,
  context: EditContext,
  root: BlobHash,
  batch: Edit
) {
  const parsed = batch.outlines
  if (changeRequest === undefined) {
    return yield* events.publish(RevisionCommitted, {
      space: space.id,
      organization: space.organization,
      before: revision.root,
      after: root,
      hasNewPagesOnly: batch.changes.every(({ operation }) => operation !== "revert_page"),
      ...(parsed === undefined ? {} : { outlines: parsed })
    })
  }
  const written: Array<BlobHash> = []
  for (const id of context.outcomes.keys()) {
    const body = (yield* context.draft.page(id))?.body
    if (body !== undefined && body !== (yield* tree.page(id))?.body) written.push(body)
  }
  yield* outlines.write(written, parsed)
})

const presentEdit = Effect.fnUntraced(function* (
  urls: EditServices["urls"],
  resolved: ResolvedContent,
  context: EditContext,
  id: RevisionId
) {
  const changes = [...context.outcomes].map(([page, { outcome, ref }]): EditedPage => {
    if (outcome === "deleted") return { object: "deleted_page", page }
    const pageRef = {
      object: "page",
      id: page,
      urls: { location: `${resolved.apiUrl}/page/${page}` }
    } as const
    return outcome === "updated"
      ? { object: "updated_page", page: pageRef }
      : { object: "created_page", ...(ref === undefined ? {} : { ref }), page: pageRef }
  })
  if (context.files.length === 0) return { revision: id, changes } satisfies EditedContent
  const urlOf = yield* urls.in(resolved.space)
  const insertedFiles = yield* Effect.forEach(context.files, (file) =>
    Effect.map(context.draft.file(file), (record) => presentFile(urlOf, file, record!, {}))
  )
  return { revision: id, changes, insertedFiles } satisfies EditedContent
})

/**
 * Returns the function that writes a batch of changes as one revision. It runs in a transaction, on content that the
 * caller is authorized to edit.
 */
export const makeWrite = ({
  access,
  content,
  urls,
  ids,
  events,
  outlines,
  linkBase,
  convert
}: EditServices) => {
  return Effect.fnUntraced(function* (
    resolved: WritableContent,
    batch: Edit
  ): Effect.fn.Return<EditResult, Conflict | Forbidden | InvalidInput | StorageUnavailable> {
    yield* requireEditable(resolved)
    const { records } = resolved
    const time = yield* now
    const draft = Tree.makeDraft(content.maps, resolved.revision.root)
    const context: EditContext = {
      draft,
      content,
      convert,
      time,
      revision: revertSource(access, resolved),
      outcomes: new Map(),
      files: [],
      parsing: new ParseAllowance(),
      ...(yield* prepare(batch.changes, resolved.tree, ids))
    }
    yield* checkSources(records, resolved.space.organization, batch.changes)
    yield* apply(context, batch.changes)
    yield* rewriteMovedLinks(context, resolved.tree, outlines)
    const revision = yield* newRevision(ids, {
      organization: resolved.space.organization,
      space: resolved.space.id,
      changeRequest: resolved.changeRequest?.id ?? null,
      type: typeOf(batch),
      root: yield* draft.write,
      ...saveColumns(resolved, batch.automatic === true, Date.parse(time)),
      author: resolved.caller.user,
      message: batch.message ?? null,
      git: batch.git ?? null,
      createdAt: time
    })
    yield* records.insert(revisionsTable, revision)
    access.noteCreated(revision)
    yield* markReplaced(records, revision)
    const added = yield* content.addedBytes(records, resolved.space.organization, {
      before: resolved.revision.root,
      after: revision.root
    })
    const changeRequest = yield* moveHead(resolved, revision.id, time, added)
    yield* updateIndexes({ events, outlines }, resolved, context, revision.root, batch)
    const edited = yield* presentEdit(urls, resolved, context, revision.id)
    return {
      ...edited,
      ...(changeRequest === undefined
        ? {}
        : {
            changeRequest: yield* presentChangeRequest(
              records,
              yield* linkBase,
              resolved.space,
              changeRequest
            )
          })
    }
  })
}
