/** Expands the reusable contents that Markdown includes. */
import { Effect } from "effect"
import type { StorageUnavailable } from "../../kernel/storage/index.ts"
import { ReusableContentId } from "../../model/content/ReusableContent.ts"
import type { ContentStore } from "./ContentStore.ts"
import type { Tree } from "./Tree.ts"

const inclusion = /^[ \t]*\{% include "\/reusable-contents\/([0-9a-z]{1,32})" %\}[ \t]*$/gm

/** The maximum nesting of inclusions. Deeper ones are not expanded. */
const maximumInclusionDepth = 5

/** The maximum number of included characters per page. Inclusions beyond it are not expanded. */
const maximumLength = 1_000_000

/** Returns the ids of the reusable contents that Markdown includes, with repetitions. */
const includedBy = (markdown: string): ReadonlyArray<ReusableContentId> =>
  Array.from(markdown.matchAll(inclusion), ([, id]) => ReusableContentId.make(id!))

/**
 * Returns the Markdown with its inclusions expanded. Inclusions that are missing, nested too deep or too long stay as
 * written, which also ends cycles.
 */
export const withInclusions = (
  content: ContentStore["Service"],
  tree: Tree,
  markdown: string
): Effect.Effect<string, StorageUnavailable> => {
  let left = maximumLength
  const resolve = Effect.fnUntraced(function* (
    text: string,
    depth: number
  ): Effect.fn.Return<string, StorageUnavailable> {
    const included = depth === 0 ? [] : includedBy(text)
    if (included.length === 0) return text
    const bodies = new Map<string, string>()
    for (const [id, all] of Map.groupBy(included, (id) => id)) {
      const record = left <= 0 ? undefined : yield* tree.reusableContent(id)
      if (record === undefined) continue
      const own = record.body === undefined ? "" : yield* content.texts.get(record.body)
      const body = yield* resolve(own, depth - 1)
      left -= body.length * all.length
      if (left >= 0) bodies.set(id, body)
    }
    return text.replace(inclusion, (whole, id: string) => bodies.get(id) ?? whole)
  })
  return Effect.suspend(() => resolve(markdown, maximumInclusionDepth))
}
