/** The transaction events that content publishes. */

import { type BlobHash, transactionEvent } from "@lectern/kernel"
import type { Outline } from "@lectern/markdown/outline"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SpaceId } from "@lectern/model/spaces"

/** The primary content of a space moved from one revision to the next. */
export interface RevisionCommittedPayload {
  readonly space: SpaceId
  /** The organization of the space. */
  readonly organization: OrganizationId
  /** The root of the content before. */
  readonly before: BlobHash
  /** The root of the content now. */
  readonly after: BlobHash
  /** Whether no inserted page was in an earlier revision. Unknown if absent. */
  readonly hasNewPagesOnly?: boolean
  /** Outlines of Markdown that was parsed before the transaction, by the hash of the Markdown. */
  readonly outlines?: ReadonlyMap<BlobHash, Outline>
}

/** Published whenever the head of a space's primary content moves: by an edit, an import or a merge. */
export const RevisionCommitted = transactionEvent<RevisionCommittedPayload>("RevisionCommitted")
