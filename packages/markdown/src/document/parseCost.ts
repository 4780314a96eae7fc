/**
 * Estimates the cost of parsing Markdown before it is parsed.
 *
 * The parser is linear in its input for most constructs, but a list item, a table cell or a footnote of a few characters
 * costs as much as a long line of text. The estimate adds a cost for each construct that the input can contain. It never
 * depends on time, so that the same Markdown has the same document on every machine.
 */

/** The maximum cost of Markdown that is parsed, in estimated microseconds. */
export const maximumParseCost = 250_000

/** The maximum cost of Markdown that is parsed on the event loop, if the host has worker threads. */
const maximumSmallCost = 15_000

/** The number of characters that are always parsed on the event loop: their cost is at most 15 ms. */
const smallLength = 500

/** The cost of a line, by the construct that it starts. Measured as the CPU time per line of input that has no other lines. */
const lineCosts = {
  empty: 1,
  spaces: 6,
  code: 8,
  text: 12,
  block: 30,
  item: 50,
  footnote: 120,
  definition: 40
}

/** The cost of a character that can start a construct. Other characters cost nothing. */
const characterCosts = new Uint8Array(128)

for (const [character, cost] of Object.entries({
  "|": 20,
  "[": 5,
  "]": 5,
  "!": 1,
  "*": 3,
  _: 3,
  "~": 3,
  "`": 3,
  "<": 8,
  "&": 4,
  "\\": 3,
  $: 5,
  "{": 3,
  "@": 12,
  ":": 2,
  "\t": 2
})) {
  characterCosts[character.charCodeAt(0)] = cost
}

/** The cost of the constructs that need more than one character: footnotes, and URLs without brackets. */
const sequencePattern = /\[\^|www\.|https?:/gi
const sequenceCost = 15

const fencePattern = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const itemPattern = /^[ \t]*(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)|^[ \t]*>/
const footnotePattern = /^[ \t>]*\[\^/
const definitionPattern = /^ {0,3}\[/
const blockPattern = /^ {0,3}(?:#|=+[ \t]*$|-+[ \t]*$)/

const charactersCost = (line: string): number => {
  let cost = 0
  for (let i = 0; i < line.length; i++) cost += characterCosts[line.charCodeAt(i)] ?? 0
  return cost + (line.match(sequencePattern)?.length ?? 0) * sequenceCost
}

const lineCost = (line: string, startsBlock: boolean): number =>
  footnotePattern.test(line)
    ? lineCosts.footnote
    : definitionPattern.test(line)
      ? lineCosts.definition
      : itemPattern.test(line)
        ? lineCosts.item
        : startsBlock || blockPattern.test(line)
          ? lineCosts.block
          : lineCosts.text

/** Estimates the cost of parsing Markdown, in microseconds. Stops when the cost exceeds `limit`. */
export const estimateParseCost = (markdown: string, limit: number): number => {
  let cost = 0
  let fence: string | undefined
  let startsBlock = true
  for (let start = 0; start < markdown.length && cost <= limit; ) {
    const found = markdown.indexOf("\n", start)
    const end = found < 0 ? markdown.length : found
    const line = markdown.slice(start, end)
    start = end + 1
    const marker = fencePattern.exec(line)?.[1]
    if (fence !== undefined) {
      cost += lineCosts.code
      if (marker?.startsWith(fence) && line.trim() === marker) fence = undefined
    } else if (marker !== undefined) {
      cost += lineCosts.block
      fence = marker
      startsBlock = true
    } else if (line.trim() === "") {
      cost += line === "" ? lineCosts.empty : lineCosts.spaces + line.length / 10
      startsBlock = true
    } else {
      cost += lineCost(line, startsBlock) + charactersCost(line)
      startsBlock = false
    }
  }
  return cost
}

/** The maximum cost per character: a line of two characters that starts a footnote costs 140. */
const maximumCharacterCost = 70

/** Whether Markdown, with normalized line endings, is not parsed because of its cost. */
export const isTooExpensiveToParse = (markdown: string): boolean =>
  // The cost of short Markdown is not estimated.
  markdown.length * maximumCharacterCost > maximumParseCost &&
  estimateParseCost(markdown, maximumParseCost) > maximumParseCost

/** The number of characters per microsecond of text without constructs. */
const charactersPerMicrosecond = 20

/** Words that can begin a URL without brackets. The parser tries to read each as `www.` or `http:`. */
const addressWordPattern = /(?<![a-z])[wh]/gi

/** The cost of such a word. */
const addressWordCost = 2

/**
 * Whether Markdown is parsed on the event loop although it can be adversarial, because that takes a few milliseconds. The
 * length of the text counts here only: it is always within the maximum cost.
 */
export const isCheapToParse = (markdown: string): boolean => {
  if (markdown.length <= smallLength) return true
  const remaining = maximumSmallCost - markdown.length / charactersPerMicrosecond
  if (remaining <= 0) return false
  const words = (markdown.match(addressWordPattern)?.length ?? 0) * addressWordCost
  return words + estimateParseCost(markdown, remaining) <= remaining
}
