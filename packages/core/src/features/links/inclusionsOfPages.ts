/** Resolves the reusable contents that pages include, so that their links are links of these pages. */

import { reusableContentAt } from "@lectern/content"
import type { BlobHash } from "@lectern/kernel"
import type { ReusableContentRecord } from "@lectern/kernel/tables"
import type { ReusableContentId } from "@lectern/model/content"
import type { StoredOutline } from "../content/Outlines.ts"

/** A reusable content that a page includes, directly or through another one. */
interface Included {
  readonly content: ReusableContentId
  /** The anchor of the section of the page. */
  readonly anchor: string
  readonly outline: StoredOutline
}

/** Returns functions that resolve inclusions. `reusable` has all reusable contents. */
export const makeInclusions = (
  reusable: ReadonlyArray<readonly [ReusableContentId, ReusableContentRecord]>,
  outlines: ReadonlyMap<BlobHash, StoredOutline>
) => {
  const byId = new Map(reusable)
  const resolve = (reference: string): ReusableContentId | undefined => {
    const id = reference as ReusableContentId
    return byId.has(id) ? id : reusableContentAt(reusable, reference)
  }
  return {
    /** Returns the id of the reusable content with an id, or at the path of its file. */
    resolve,

    /** Returns the reusable contents that a page with this outline includes. Each occurs once, which ends cycles. */
    within: (page: StoredOutline | undefined): ReadonlyArray<Included> => {
      const found = new Map<ReusableContentId, Included>()
      const visit = (outline: StoredOutline, section: string | undefined): void => {
        for (const { ref, anchor } of outline.references) {
          const content = ref.kind === "reusable-content" ? resolve(ref.reusableContent) : undefined
          const body = content === undefined ? undefined : byId.get(content)?.body
          const included = body === undefined ? undefined : outlines.get(body)
          if (content === undefined || included === undefined || found.has(content)) continue
          found.set(content, { content, anchor: section ?? anchor, outline: included })
          visit(included, section ?? anchor)
        }
      }
      if (page !== undefined) visit(page, undefined)
      return [...found.values()]
    }
  }
}
