/** Renders the differences of two versions of a page: lines, and the words that differ within them. */
import { diffLines } from "@lectern/core/content"
import { type Content, element, type Html, nothing } from "../html/Html.ts"

/** The number of unchanged lines around a difference. */
const contextLines = 3

/** The maximum number of lines of a page that is compared. */
const maximumLines = 5_000

/** The maximum number of words and other characters of a line whose words are compared. */
const maximumTokens = 1_000

/** The share of a line that must be unchanged for its words to be compared. Lines with less in common are compared as a whole. */
const minimumShare = 0.3

interface DiffLine {
  readonly kind: "same" | "added" | "removed"
  readonly text: string
}

/** A part of a line, and whether the other version does not have it. */
interface DiffPart {
  readonly text: string
  readonly isChanged: boolean
}

/** Runs a computation in steps to its end. */
const complete = <A>(steps: Generator<void, A>): A => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Compares two lists of strings. */
const compare = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<DiffLine> => {
  const numbers = new Map<string, number>()
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    return number
  }
  const [oldNumbers, newNumbers] = [Int32Array.from(before, numberOf), Int32Array.from(after, numberOf)]
  const found: Array<DiffLine> = []
  let from = 0
  for (const { start, end, sideStart, sideEnd } of complete(
    diffLines(oldNumbers, newNumbers, numbers.size)
  )) {
    for (; from < start; from++) found.push({ kind: "same", text: before[from]! })
    for (; from < end; from++) found.push({ kind: "removed", text: before[from]! })
    for (const text of after.slice(sideStart, sideEnd)) found.push({ kind: "added", text })
  }
  for (; from < before.length; from++) found.push({ kind: "same", text: before[from]! })
  return found
}

/** Returns the lines of two versions: common, added and removed ones. */
export const compareLines = (before: string, after: string): ReadonlyArray<DiffLine> =>
  compare(before.split("\n").slice(0, maximumLines), after.split("\n").slice(0, maximumLines))

const tokensOf = (line: string): ReadonlyArray<string> => line.match(/[\p{L}\p{M}\p{N}_]+|\s+|[\s\S]/gu) ?? []

/** Joins adjacent parts that are both changed or both unchanged. */
const joined = (parts: ReadonlyArray<DiffPart>): ReadonlyArray<DiffPart> => {
  const found: Array<DiffPart> = []
  for (const part of parts) {
    const last = found.at(-1)
    if (last?.isChanged === part.isChanged) found[found.length - 1] = { ...last, text: last.text + part.text }
    else found.push(part)
  }
  return found
}

/** Returns the parts of two lines; `undefined` for lines that have little in common, or are too long. */
export const compareWords = (
  before: string,
  after: string
): { readonly before: ReadonlyArray<DiffPart>; readonly after: ReadonlyArray<DiffPart> } | undefined => {
  const [old, current] = [tokensOf(before), tokensOf(after)]
  if (Math.max(old.length, current.length) > maximumTokens) return undefined
  const compared = compare(old, current)
  const common = compared
    .filter(({ kind }) => kind === "same")
    .reduce((sum, { text }) => sum + text.trim().length, 0)
  if (common < minimumShare * Math.max(before.length, after.length)) return undefined
  const partsWithout = (kind: DiffLine["kind"]) =>
    joined(
      compared
        .filter((part) => part.kind !== kind)
        .map((part) => ({ text: part.text, isChanged: part.kind !== "same" }))
    )
  return { before: partsWithout("added"), after: partsWithout("removed") }
}

/** Returns the parts of the lines whose words are compared, by their index: the nth removed line with the nth added one. */
const wordsOf = (lines: ReadonlyArray<DiffLine>): ReadonlyMap<number, ReadonlyArray<DiffPart>> => {
  const found = new Map<number, ReadonlyArray<DiffPart>>()
  for (let at = 0; at < lines.length; at++) {
    const removed = at
    while (lines[at]?.kind === "removed") at++
    const added = at
    while (lines[at]?.kind === "added") at++
    const count = Math.min(added - removed, at - added)
    for (let index = 0; index < count; index++) {
      const words = compareWords(lines[removed + index]!.text, lines[added + index]!.text)
      if (words === undefined) continue
      found.set(removed + index, words.before)
      found.set(added + index, words.after)
    }
  }
  return found
}

const referencePattern = /\/(pages|files)\/([A-Za-z0-9._~-]{1,64})/g

/** Replaces the ids of pages and files in Markdown by their names. */
const withNames = (markdown: string, nameOf: (id: string) => string | undefined): string =>
  markdown.replaceAll(referencePattern, (whole, _, id: string) => {
    const name = nameOf(id)
    return name === undefined ? whole : `“${name}”`
  })

/** Renders the differences of two versions, with the lines around them. `nameOf` returns the name of a page or a file. */
export const renderDiff = (
  before: string,
  after: string,
  nameOf: (id: string) => string | undefined = () => undefined
): Html => {
  const lines = compareLines(withNames(before, nameOf), withNames(after, nameOf))
  const words = wordsOf(lines)
  const isNear = lines.map((_, index) =>
    lines
      .slice(Math.max(0, index - contextLines), index + contextLines + 1)
      .some(({ kind }) => kind !== "same")
  )
  if (!isNear.includes(true)) return element("p", {}, "The content is unchanged.")
  return element(
    "div",
    { class: "diff", tabindex: "0", role: "group", "aria-label": "Differences" },
    lines.map(({ kind, text }, index): Content => {
      if (isNear[index] !== true)
        return isNear[index - 1] === true ? element("span", { class: "hunk" }, "⋯") : nothing
      const content: Content =
        words.get(index)?.map((part) => (part.isChanged ? element("mark", {}, part.text) : part.text)) ?? text
      const line = element("span", {}, kind === "added" ? "+ " : kind === "removed" ? "− " : "  ", content)
      return kind === "added"
        ? element("ins", {}, line)
        : kind === "removed"
          ? element("del", {}, line)
          : line
    })
  )
}
