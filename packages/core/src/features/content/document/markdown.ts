/** Markdown, as the rest of the product sees it. */
import { fromMarkdown } from "./fromMarkdown.ts"
import { toMarkdown } from "./toMarkdown.ts"

export { parse, stringify } from "./syntax.ts"

/** The one form of a text: what its document comes back as. Normalizing it once more changes nothing. */
export const normalize = (markdown: string): string => toMarkdown(fromMarkdown(markdown))
