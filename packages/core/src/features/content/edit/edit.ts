/** Edits content by a batch: one transaction, one revision (decision D7). */

import { Effect, Schema } from "effect"
import { Conflict, InvalidInput } from "../../../kernel/errors.ts"
import type { TransactionEvents } from "../../../kernel/events/TransactionEvents.ts"
import type { Ids } from "../../../kernel/ids/Ids.ts"
import { command } from "../../../kernel/operation/Operation.ts"
import { type BlobHash, type Records, Where } from "../../../kernel/storage/index.ts"
import { now } from "../../../kernel/time.ts"
import {
  type ChangeRequest,
  type ChangeRequestRow,
  changeRequests,
  contributors
} from "../../../model/change-requests/ChangeRequest.ts"
import { baseOf, whyClosed } from "../../../model/change-requests/ChangeRequestRules.ts"
import { ContentOf } from "../../../model/content/ContentOf.ts"
import { EditContent } from "../../../model/content/EditContent.ts"
import type { EditedContent, EditedPage } from "../../../model/content/EditedContent.ts"
import { type RevisionId, revisions as revisionsTable } from "../../../model/content/Revision.ts"
import { type SpaceRow, spaces } from "../../../model/spaces/Space.ts"
import { presentChangeRequest } from "../../../views/change-requests/ChangeRequestView.ts"
import { presentFile } from "../../../views/content/FileView.ts"
import type { ContentAccess, Located } from "../ContentAccess.ts"
import { RevisionCommitted } from "../ContentEvents.ts"
import type { ContentStore } from "../ContentStore.ts"
import type { FileUrls } from "../FileUrls.ts"
import { emptyRoot } from "../MerkleMap.ts"
import { newRevision } from "../newRevision.ts"
import type { Outline } from "../outline/Outline.ts"
import type { Outlines } from "../outline/Outlines.ts"
import * as Tree from "../Tree.ts"
import { apply, prepare } from "./apply.ts"
import type { AnyChange, Editing } from "./Editing.ts"

/** What editing needs. */
export interface EditServices {
  readonly records: Records["Service"]
  readonly access: ContentAccess["Service"]
  readonly content: ContentStore["Service"]
  readonly urls: FileUrls["Service"]
  readonly ids: Ids["Service"]
  readonly events: TransactionEvents["Service"]
  readonly outlines: Outlines["Service"]
  readonly base: string
}

/** Which content is edited: revisions never are. */
export const EditableContent = Schema.Struct({
  space: ContentOf.fields.space,
  changeRequest: ContentOf.fields.changeRequest
})

const locked = new Conflict({
  message: "The space is locked: its content changes by change requests alone. Open one, and merge it."
})

/** Why content cannot be edited as it stands; `undefined` where it can. */
export const whyNotEditable = ({ space, changeRequest }: Located): Conflict | undefined =>
  changeRequest === undefined ? (space.editMode === "locked" ? locked : undefined) : whyClosed(changeRequest)

/** What is to be written as one revision. */
interface Edit extends Omit<EditContent, "changes"> {
  readonly changes: ReadonlyArray<AnyChange>
  /** What texts are made of that were taken apart beforehand, by their hashes. */
  readonly outlines?: ReadonlyMap<BlobHash, Outline>
}

/** A batch that only reverts takes content back. */
const typeOf = ({ changes }: Edit): "rollback" | "edits" =>
  changes.length > 0 && changes.every(({ operation }) => operation === "revert_page") ? "rollback" : "edits"

/**
 * Makes what writes changes, in a transaction that it is called in, of content that the caller has come to in order to
 * edit it.
 */
export const makeWrite = ({ records, access, content, urls, ids, events, outlines, base }: EditServices) => {
  const treeOf = (located: Located): Editing["revision"] =>
    Effect.fnUntraced(function* (asked, path) {
      const { space, changeRequest, revision } = located
      const id = asked ?? (changeRequest === undefined ? revision.parents[0] : baseOf(changeRequest))
      if (id === undefined) return access.treeAt(emptyRoot)
      const row = yield* Effect.catchTag(access.revisionOf(space.id, id), "NotFound", () =>
        Effect.fail(InvalidInput.at(path, "names no revision of this space"))
      )
      return access.treeAt(row.root)
    })

  /** Moves the head of the content to a revision. */
  const moveHead = Effect.fnUntraced(function* (
    { space, changeRequest, caller }: Located,
    id: RevisionId,
    time: string
  ) {
    const set = { revision: id, updatedAt: time }
    if (changeRequest === undefined) {
      yield* records.update(spaces, Where.eq<SpaceRow, "id">("id", space.id), set)
      return undefined
    }
    yield* records.update(changeRequests, Where.eq<ChangeRequestRow, "id">("id", changeRequest.id), set)
    yield* records.insertMissing(contributors, [{ changeRequest: changeRequest.id, user: caller.user }])
    return { ...changeRequest, ...set }
  })

  /** Brings the search index and the outlines of texts up to date. */
  const updateIndexes = Effect.fnUntraced(function* (
    { space, changeRequest, revision, tree }: Located,
    editing: Editing,
    root: BlobHash,
    ready: ReadonlyMap<BlobHash, Outline> | undefined
  ) {
    if (changeRequest === undefined) {
      return yield* events.publish(RevisionCommitted, {
        space: space.id,
        before: revision.root,
        after: root,
        ...(ready === undefined ? {} : { outlines: ready })
      })
    }
    const written: Array<BlobHash> = []
    for (const id of editing.touched.keys()) {
      const body = (yield* editing.draft.page(id))?.body
      if (body !== undefined && body !== (yield* tree.page(id))?.body) written.push(body)
    }
    yield* outlines.write(written, ready)
  })

  const present = Effect.fnUntraced(function* (located: Located, editing: Editing, id: RevisionId) {
    const changes = [...editing.touched].map(([page, { outcome, ref }]): EditedPage => {
      if (outcome === "deleted") return { object: "deleted_page", page }
      const shown = {
        object: "page",
        id: page,
        urls: { location: `${located.location}/page/${page}` }
      } as const
      return outcome === "updated"
        ? { object: "updated_page", page: shown }
        : { object: "created_page", ...(ref === undefined ? {} : { ref }), page: shown }
    })
    const urlOf = yield* urls.in(located.space.id)
    const files = yield* Effect.forEach(editing.files, (file) =>
      Effect.map(editing.draft.file(file), (record) => presentFile(urlOf, file, record!, {}))
    )
    return {
      revision: id,
      changes,
      ...(files.length === 0 ? {} : { insertedFiles: files })
    } satisfies EditedContent
  })

  return Effect.fnUntraced(function* (located: Located, batch: Edit) {
    const why = whyNotEditable(located)
    if (why !== undefined) return yield* why
    const time = yield* now
    const draft = Tree.draft(content.maps, located.revision.root)
    const editing: Editing = {
      draft,
      content,
      time,
      revision: treeOf(located),
      touched: new Map(),
      files: [],
      ...(yield* prepare(batch.changes, located.tree, ids))
    }
    yield* apply(editing, batch.changes)
    const revision = yield* newRevision(ids, {
      space: located.space.id,
      changeRequest: located.changeRequest?.id ?? null,
      type: typeOf(batch),
      root: yield* draft.write,
      parents: [located.revision.id],
      author: located.caller.user,
      message: batch.message ?? null,
      git: batch.git ?? null,
      createdAt: time
    })
    yield* records.insert(revisionsTable, revision)
    const changeRequest = yield* moveHead(located, revision.id, time)
    yield* updateIndexes(located, editing, revision.root, batch.outlines)
    const edited = yield* present(located, editing, revision.id)
    return {
      ...edited,
      ...(changeRequest === undefined
        ? {}
        : { changeRequest: yield* presentChangeRequest(records, base, located.space, changeRequest) })
    } as EditedContent & { readonly changeRequest?: ChangeRequest }
  })
}

/** Makes the operation. */
export const makeEdit = (services: EditServices) => {
  const write = makeWrite(services)
  return command(services.records)([EditableContent, EditContent], function* (of, batch) {
    return yield* write(yield* services.access.open(of, "edit"), batch)
  })
}
