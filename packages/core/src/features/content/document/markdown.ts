/** Parses, stringifies and normalizes Markdown. */
import { fromMarkdown } from "./fromMarkdown.ts"
import { toMarkdown } from "./toMarkdown.ts"

export { parse, stringify } from "./syntax.ts"

/** Normalizes Markdown by a round trip through its document. It is idempotent. */
export const normalize = (markdown: string): string => toMarkdown(fromMarkdown(markdown))
