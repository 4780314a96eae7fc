/** Puts the reusable contents that a text includes into their places. */
import { Effect } from "effect"
import type { StorageUnavailable } from "../../kernel/storage/index.ts"
import { ReusableContentId } from "../../model/content/ReusableContent.ts"
import type { ContentStore } from "./ContentStore.ts"
import type { Tree } from "./Tree.ts"

const inclusion = /^[ \t]*\{% include "\/reusable-contents\/([0-9a-z]{1,32})" %\}[ \t]*$/gm

/** How deep contents may include each other; what is deeper stays as it is written. */
const maximumInclusionDepth = 5

/** How many characters of included contents a page shows; what goes beyond stays as it is written. */
const longest = 1_000_000

/** The ids of what a text includes, each as often as it does. */
const includedBy = (markdown: string): ReadonlyArray<ReusableContentId> =>
  Array.from(markdown.matchAll(inclusion), ([, id]) => ReusableContentId.make(id!))

/**
 * The text with what it includes. What is not there stays as it is written, and so does what goes too deep or comes
 * to too much: contents that include each other many times would grow without end.
 */
export const withInclusions = (
  content: ContentStore["Service"],
  tree: Tree,
  markdown: string
): Effect.Effect<string, StorageUnavailable> => {
  let left = longest
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
