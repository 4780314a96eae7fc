/** Recognizes Markdown in text that is pasted. */

const strong: ReadonlyArray<RegExp> = [
  /^#{1,6} \S/m,
  /^(?:[-*+]|\d{1,9}[.)]) \S.*(?:\n(?:\s*(?:[-*+]|\d{1,9}[.)]) |\s*\n|\s+\S).*)*/m,
  /^```/m,
  /^> \S/m,
  /^\|.*\|\s*\n\|[\s:|-]+\|/m,
  /\[[^\]\n]+\]\([^)\s]+\)/,
  /\*\*[^*\n]+\*\*/,
  /(?:^|\s)`[^`\n]+`(?:\s|[.,;:)]|$)/,
  /^\{% [a-z]/m,
  /^\$\$/m
]

const maximumMarkdown = 1_000_000

/** Whether text has constructs of Markdown. */
export const looksLikeMarkdown = (text: string): boolean =>
  text.length <= maximumMarkdown && strong.some((pattern) => pattern.test(text))
