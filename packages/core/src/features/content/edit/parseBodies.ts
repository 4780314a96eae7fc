/** Parses the bodies of a batch before its transaction. */

import { ParseAllowance } from "@lectern/content"
import type { StorageUnavailable } from "@lectern/kernel"
import { takeFrontMatter, takeHeading } from "@lectern/markdown/frontMatter"
import type { ContentChange, EditContent } from "@lectern/model/content"
import { Effect, Result } from "effect"
import type { Outlines } from "../Outlines.ts"

/**
 * Returns the Markdown that a change most likely stores. References to items of the batch are not resolved in it, and the
 * first heading of a new page can be part of its text: then the transaction extracts the outline of the other text, with
 * the same cached pieces.
 */
const bodyOf = (change: ContentChange): string | undefined => {
  if (!("document" in change)) return undefined
  const markdown = change.document?.markdown
  if (markdown === undefined) return undefined
  const parsed = takeFrontMatter(markdown)
  if (Result.isFailure(parsed)) return undefined
  const body = parsed.success.markdown
  return change.operation === "insert_page" ? takeHeading(body).markdown : body
}

/**
 * Extracts the outlines of the bodies of a batch, so that its transaction finds them. Returns `undefined` if they contain
 * little new text. A batch that is too expensive to parse is not parsed: its transaction rejects it.
 */
export const parseBodies = (
  outlines: Outlines["Service"],
  { changes }: EditContent
): Effect.Effect<void, StorageUnavailable> | undefined => {
  const bodies = changes.flatMap((change) => bodyOf(change) ?? [])
  const prepared = bodies.flatMap((body) => outlines.prepare(body) ?? [])
  if (prepared.length === 0) return undefined
  const allowance = new ParseAllowance()
  const spent = Effect.forEach(bodies, (body) => allowance.spend(body, { isSent: true }), { discard: true })
  return Effect.flatMap(Effect.result(spent), (isAllowed) =>
    Result.isSuccess(isAllowed) ? Effect.forEach(prepared, (one) => one, { discard: true }) : Effect.void
  )
}
