/** Detects the style of Markdown. */
import type { MarkdownStyle } from "./syntax.ts"

/** Returns the option whose pattern matches most often; undefined if no pattern matches. */
const mostFrequent = <Value>(
  markdown: string,
  patterns: ReadonlyArray<readonly [Value, RegExp]>
): Value | undefined => {
  let [found, highest]: [Value | undefined, number] = [undefined, 0]
  for (const [value, pattern] of patterns) {
    const count = markdown.match(pattern)?.length ?? 0
    if (count > highest) [found, highest] = [value, count]
  }
  return found
}

/** Returns the style that most of the Markdown has. Options that the Markdown does not show are absent. */
export const styleOf = (markdown: string): MarkdownStyle => {
  const style = {
    bullet: mostFrequent(markdown, [
      ["-", /^[ >]*- /gm],
      ["*", /^[ >]*\* /gm],
      ["+", /^[ >]*\+ /gm]
    ] as const),
    bulletOrdered: mostFrequent(markdown, [
      [".", /^[ >]*\d{1,9}\. /gm],
      [")", /^[ >]*\d{1,9}\) /gm]
    ] as const),
    emphasis: mostFrequent(markdown, [
      ["*", /(?<![\\*])\*(?![\s*])/g],
      ["_", /(?<![\w\\])_(?![\s_])/g]
    ] as const),
    strong: mostFrequent(markdown, [
      ["*", /\*\*(?=\w)/g],
      ["_", /(?<![\w\\])__(?=\w)/g]
    ] as const),
    fence: mostFrequent(markdown, [
      ["`", /^[ >]*```/gm],
      ["~", /^[ >]*~~~/gm]
    ] as const),
    rule: mostFrequent(markdown, [
      ["-", /^---+$/gm],
      ["*", /^(?:\*{3,}|\* \* \*)$/gm],
      ["_", /^___+$/gm]
    ] as const),
    setext: mostFrequent(markdown, [
      [false, /^#{1,2} /gm],
      [true, /\n=+[ \t]*$/gm]
    ] as const)
  }
  return Object.fromEntries(Object.entries(style).filter(([, value]) => value !== undefined))
}
