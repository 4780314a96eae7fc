/** Three-way merge of texts, line by line. */
import { diff3Merge } from "node-diff3"
import type { Region } from "./Conflict.ts"

/** A merged text, or the regions that both sides changed. */
export type MergedText =
  | { readonly _tag: "Merged"; readonly text: string }
  | { readonly _tag: "Conflict"; readonly regions: ReadonlyArray<Region> }

/** Merges two texts that were made from a third. Lines end with a line feed; what else is at their ends is theirs. */
export const mergeTexts = (base: string, primary: string, change: string): MergedText => {
  if (primary === change || change === base) return { _tag: "Merged", text: primary }
  if (primary === base) return { _tag: "Merged", text: change }
  const parts = diff3Merge(primary.split("\n"), base.split("\n"), change.split("\n"), {
    excludeFalseConflicts: true
  })
  const regions = parts.flatMap(
    ({ conflict }): ReadonlyArray<Region> =>
      conflict === undefined
        ? []
        : [{ line: conflict.oIndex + 1, base: conflict.o, primary: conflict.a, change: conflict.b }]
  )
  return regions.length > 0
    ? { _tag: "Conflict", regions }
    : { _tag: "Merged", text: parts.flatMap(({ ok }) => ok ?? []).join("\n") }
}
