/** Normalizes Markdown. */
import { fromMarkdown } from "./fromMarkdown.ts"
import { toMarkdown } from "./toMarkdown.ts"

/** Normalizes Markdown by a round trip through its document. It is idempotent. */
export const normalize = (markdown: string): string => toMarkdown(fromMarkdown(markdown))
