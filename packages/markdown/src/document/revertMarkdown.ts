/** Reverts single blocks of Markdown to an earlier version of it. */
import { fromMarkdown } from "./fromMarkdown.ts"
import { revertBlocks } from "./revertBlocks.ts"
import { parseMarkdown, updateParsed } from "./updateMarkdown.ts"

/** The result of {@link revertMarkdown}. */
export interface RevertedMarkdown {
  /** The Markdown, in which the bytes of other blocks are preserved. */
  readonly markdown: string
  /** The requested keys that no block has, in either version. */
  readonly unknownKeys: ReadonlyArray<string>
}

/** Reverts the blocks with these keys to their state in `base`, as `revertBlocks`. Unchanged Markdown is returned as it is. */
export const revertMarkdown = (
  current: string,
  base: string,
  keys: ReadonlyArray<string>
): RevertedMarkdown => {
  const parsed = parseMarkdown(current)
  const { document, isChanged, unknownKeys } = revertBlocks(parsed.document, fromMarkdown(base), keys)
  return { markdown: isChanged ? updateParsed(parsed, document) : current, unknownKeys }
}
