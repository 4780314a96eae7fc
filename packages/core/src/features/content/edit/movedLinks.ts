/**
 * Rewrites links by path when pages are moved or renamed, so that they refer to the same pages as before. Links by id,
 * as in `/pages/p1`, are unaffected. Only the destinations change, byte for byte.
 */

import type { Tree } from "@lectern/content"
import type { StorageUnavailable } from "@lectern/kernel"
import { Effect } from "effect"
import type { Outlines } from "../Outlines.ts"
import { type EditContext, recordOutcome } from "./EditContext.ts"
import {
  isMoved,
  linkedTextsOf,
  newUrlsOf,
  type Rewrite,
  readLinkedContent,
  rewritePathLinks
} from "./rewritePathLinks.ts"

/**
 * Rewrites the links by path to pages that the batch moved or renamed, and the links of these pages. `base` is the content
 * before the batch.
 */
export const rewriteMovedLinks = Effect.fnUntraced(function* (
  context: EditContext,
  base: Tree,
  outlines: Outlines["Service"]
): Effect.fn.Return<void, StorageUnavailable> {
  const { draft, time } = context
  let hasMoved = false
  for (const id of context.outcomes.keys()) {
    if (isMoved(yield* base.page(id), yield* draft.page(id))) hasMoved = true
  }
  if (!hasMoved) return
  const [before, after] = [yield* readLinkedContent(base), yield* readLinkedContent(draft)]
  const texts = linkedTextsOf(draft, after, time, (page) => recordOutcome(context, page, "updated"))
  const rewrites = texts.map((text): Rewrite => {
    // The batch itself can have written the Markdown, with links that refer to the new paths.
    const isNew = before.bodies.get(text.key) !== text.body
    const origin = { paths: before.paths, path: before.pathOf.get(text.key) ?? text.path, has: () => true }
    return {
      text,
      newUrl: newUrlsOf(after.paths, text.path, [origin], (current) => isNew && current !== undefined)
    }
  })
  yield* rewritePathLinks(context.content, outlines, rewrites)
})
