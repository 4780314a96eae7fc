/** Proposes the translated pages as a change request of the variant, on behalf of the `CurrentUser`. */
import type {
  ChangeRequests,
  Content,
  ContentChange,
  CurrentUser,
  LecternError,
  PageId,
  RevisionId,
  SpaceId
} from "@lectern/core"
import { Effect } from "effect"

/** The maximum number of changes of an edit. */
const batchSize = 50

/** A page that the variant does not have yet. */
export interface MissingPage {
  /** The id of the page of the source. */
  readonly source: string
  /** The id of the page of the source that it is below. */
  readonly parent: string | undefined
  readonly insert: Omit<Extract<ContentChange, { readonly operation: "insert_page" }>, "into" | "operation">
}

/** The proposal of a run. */
export interface Proposal {
  readonly target: SpaceId
  /** The open change request of an earlier run. */
  readonly changeRequest: string | undefined
  readonly subject: string
  /** The ids of pages of the variant by their ids in the source. */
  readonly ids: ReadonlyMap<string, string>
  /** The missing pages, each after the one that it is below. */
  readonly missing: ReadonlyArray<MissingPage>
  /** Returns the other changes. It receives the ids of all pages. */
  readonly changes: (ids: ReadonlyMap<string, string>) => ReadonlyArray<ContentChange>
}

/** The result of a proposal. */
export interface Proposed {
  readonly changeRequest: string
  readonly revision: RevisionId
  readonly ids: ReadonlyMap<string, string>
}

/** Proposes changes. Returns `undefined` without changes. */
export type ProposeChanges = (
  proposal: Proposal
) => Effect.Effect<Proposed | undefined, LecternError, CurrentUser>

const message = "Translated by a language model"

/** Creates the function that proposes changes. */
export const makeProposeChanges = (
  content: Content["Service"],
  changeRequests: ChangeRequests["Service"]
): ProposeChanges =>
  Effect.fnUntraced(function* ({ target, changeRequest: open, subject, ids, missing, changes }) {
    const known = new Map(ids)
    let revision: RevisionId | undefined
    let changeRequest = open

    const edit = Effect.fnUntraced(function* (batch: ReadonlyArray<ContentChange>) {
      changeRequest ??= (yield* changeRequests.create.decoded({ space: target, input: { subject } })).id
      const input = { changes: batch, message }
      const edited = yield* content.edit.decoded({ content: { space: target, changeRequest }, input })
      revision = edited.revision
      return edited
    })

    // Each page needs the id of the one above it: a level of the tree is one batch, or several.
    let left = missing
    while (left.length > 0) {
      const ready = left.filter(({ parent }) => parent === undefined || known.has(parent)).slice(0, batchSize)
      if (ready.length === 0) break
      const edited = yield* edit(
        ready.map(({ parent, insert }, index) => ({
          operation: "insert_page",
          ...insert,
          ref: `page${index}`,
          ...(parent === undefined ? {} : { into: known.get(parent)! as PageId })
        }))
      )
      for (const change of edited.changes) {
        if (change.object !== "created_page" || change.ref === undefined) continue
        known.set(ready[Number(change.ref.slice("page".length))]!.source, change.page.id)
      }
      left = left.filter((page) => !ready.includes(page))
    }
    const all = changes(known)
    for (let at = 0; at < all.length; at += batchSize) yield* edit(all.slice(at, at + batchSize))
    return changeRequest === undefined || revision === undefined
      ? undefined
      : { changeRequest, revision, ids: known }
  })
