/** The content that a new change request starts with. */

import type { GrantedReader } from "@lectern/access"
import { newRevision } from "@lectern/content"
import { type Ids, Where } from "@lectern/kernel"
import {
  type ChangeRequestRow,
  changeRequests,
  type RevisionRow,
  revisions,
  type SpaceRow
} from "@lectern/kernel/tables"
import {
  type ChangeRequestId,
  type CreateChangeRequest,
  defaultSubject
} from "@lectern/model/change-requests"
import { Conflict, NotFound } from "@lectern/model/errors"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import type { ContentStore } from "../content/ContentStore.ts"

const notMerged = () =>
  new Conflict({
    reason: "ChangeRequestNotMerged",
    message:
      "The change request is not merged. Only the changes of a merged change request can be proposed again."
  })

const findReapplied = Effect.fnUntraced(function* (records: GrantedReader, space: SpaceRow, ref: string) {
  const row = yield* records.first(changeRequests, {
    where: Where.and<ChangeRequestRow>(
      Where.eq("space", space.id),
      /^[1-9]\d{0,8}$/.test(ref)
        ? Where.eq("number", Number(ref))
        : Where.eq("id", ref as ChangeRequestRow["id"])
    )
  })
  if (row === undefined) return yield* NotFound.of("change request")
  return row.revisionMerged === null ? yield* notMerged() : { ...row, revisionMerged: row.revisionMerged }
})

/** Loads the roots of revisions of the space, by their ids. */
const rootsOf = (records: GrantedReader, ids: ReadonlyArray<RevisionRow["id"]>) =>
  Effect.map(
    records.find(revisions, { select: ["id", "root", "parents"], where: Where.isIn("id", ids) }),
    (found) => new Map(found.map((row) => [row.id, row]))
  )

/**
 * Returns the columns of a change request that depend on its content, and its first revision, if it proposes the changes of a merge
 * again: the merged content, based on the revision before the merge. It merges like any outdated change request.
 */
export const startOf = Effect.fnUntraced(function* (
  { content, ids }: { readonly content: ContentStore["Service"]; readonly ids: Ids["Service"] },
  records: GrantedReader,
  request: {
    readonly id: ChangeRequestId
    readonly space: SpaceRow
    readonly author: UserId
    readonly input: CreateChangeRequest
    readonly createdAt: string
  }
) {
  const { id, space, author, input, createdAt } = request
  if (input.reapplies === undefined) {
    const { revision } = space
    return {
      columns: {
        subject: input.subject ?? defaultSubject,
        description: null,
        revision,
        revisionInitial: revision,
        contentBytes: 0
      },
      revision: undefined
    }
  }
  const again = yield* findReapplied(records, space, input.reapplies)
  const merged = (yield* rootsOf(records, [again.revisionMerged])).get(again.revisionMerged)!
  const base = merged.parents[0]!
  const roots = yield* rootsOf(records, [base, space.revision])
  const revision = yield* newRevision(ids, {
    organization: space.organization,
    space: space.id,
    changeRequest: id,
    type: "edits",
    root: merged.root,
    parents: [base],
    author,
    createdAt
  })
  const contentBytes = yield* content.addedBytes(records, space.organization, {
    before: roots.get(base)!.root,
    after: merged.root,
    other: roots.get(space.revision)!.root
  })
  return {
    columns: {
      subject: input.subject ?? again.subject,
      description: again.description,
      revision: revision.id,
      revisionInitial: base,
      contentBytes
    },
    revision
  }
})
