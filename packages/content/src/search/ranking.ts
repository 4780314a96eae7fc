/**
 * Ranks pages for a query. The scores are computed from the query and the page, in the same way for every store, which
 * only selects the candidates.
 */
import type { SearchTerm } from "@lectern/kernel"
import type { SearchPartRow } from "@lectern/kernel/tables"
import { stemOf, wordsOf } from "@lectern/markdown/text"
import { identifiersOf } from "./searchTerms.ts"

/** The columns of the rows of a page that the ranking reads. */
export type RankedRow = Pick<SearchPartRow, "nameWords" | "title" | "headings" | "body" | "kinds">

/** A query that is prepared for the ranking of pages. */
export interface RankedQuery {
  readonly terms: ReadonlyArray<SearchTerm>
  /** The folded words of the query, separated by spaces. */
  readonly words: string
  /** The stems of these words. */
  readonly stems: string
  /** The stems of the words of each identifier, such as `fs.readFile`, `--dry-run` or `readFile`. */
  readonly identifiers: ReadonlyArray<string>
}

const stemsOf = (text: string): string => wordsOf(text).map(stemOf).join(" ")

/** Prepares a query. */
export const rankedQueryOf = (query: string, terms: ReadonlyArray<SearchTerm>): RankedQuery => ({
  terms,
  words: wordsOf(query).join(" "),
  stems: stemsOf(query),
  identifiers: identifiersOf(query).map((stems) => stems.join(" "))
})

/** The weights of matches, by the part of the page that contains them. */
const fieldWeights = { title: 12, headings: 4, path: 3, description: 3, body: 1, code: 0.5 } as const

/** The scores of the classes of pages: each exceeds the sum of all lower scores. */
const classScores = { exactTitle: 4_000, titlePrefix: 2_000, allInTitle: 1_000, allInHeading: 400 } as const

/**
 * The score of a title that names the subject of a question: it has the words of the query that are rare in titles, and little
 * else. "Elsa Server" is a better result for "how to install elsa server" than a page with all of these words in its text.
 */
const namedScore = 400

/** Saturates the number of occurrences: a word that occurs often counts at most this much more than once. */
const saturation = 6

/** The length of a body, in UTF-16 code units of its stems, that neither raises nor lowers its score. */
const averageBodyLength = 4_000

/** The score of the occurrence of all terms of a query close to each other. */
const proximityScore = 60

/** The maximum distance between the first and the last term, in UTF-16 code units, that counts as close. */
const proximityLength = 120

/** The score of an identifier that occurs as a whole. */
const identifierScore = 300

/** Returns the offsets of the first occurrences of `part`, at most `maximum`. */
const offsetsOf = (text: string, part: string, maximum: number): ReadonlyArray<number> => {
  const offsets: Array<number> = []
  for (let at = text.indexOf(part); at !== -1 && offsets.length < maximum; at = text.indexOf(part, at + 1)) {
    offsets.push(at)
  }
  return offsets
}

/** The maximum number of occurrences of a term that are counted in a part of a page. */
const maximumOccurrences = 20

/** Returns the substrings that a term matches, in text with a space before and after each word. */
const patternsOf = ({ phrase, prefix, alternatives = [] }: SearchTerm): ReadonlyArray<string> => {
  const whole = [phrase, ...alternatives].map((words) => ` ${words.join(" ")} `)
  return prefix === undefined ? whole : [...whole, ` ${prefix}`]
}

const withoutRepetitions = (sorted: ReadonlyArray<number>): ReadonlyArray<number> =>
  sorted.filter((offset, index) => offset !== sorted[index - 1])

/** Returns the offsets of the occurrences of a term. */
const occurrencesOf = (text: string, patterns: ReadonlyArray<string>): ReadonlyArray<number> =>
  patterns.length === 1
    ? offsetsOf(text, patterns[0]!, maximumOccurrences)
    : withoutRepetitions(
        patterns.flatMap((pattern) => offsetsOf(text, pattern, maximumOccurrences)).sort((a, b) => a - b)
      )

/** Returns the length of the shortest part of the text with an occurrence of each term; infinite if one is missing. */
const shortestSpan = (occurrences: ReadonlyArray<ReadonlyArray<number>>): number => {
  if (occurrences.some((offsets) => offsets.length === 0)) return Infinity
  const positions = occurrences.map(() => 0)
  let shortest = Infinity
  for (;;) {
    let [first, last, earliest] = [Infinity, -Infinity, 0]
    for (let term = 0; term < occurrences.length; term++) {
      const at = occurrences[term]![positions[term]!]!
      if (at > last) last = at
      if (at < first) {
        first = at
        earliest = term
      }
    }
    shortest = Math.min(shortest, last - first)
    positions[earliest]!++
    if (positions[earliest]! >= occurrences[earliest]!.length) return shortest
  }
}

const padded = (text: string): string => ` ${text.includes("\n") ? text.replaceAll("\n", "  ") : text} `

/** Whether a term occurs in padded text. */
const hasTerm = (text: string, patterns: ReadonlyArray<string>): boolean =>
  patterns.some((pattern) => text.includes(pattern))

/** Whether each term occurs in padded text. */
const hasAllTerms = (text: string, patterns: ReadonlyArray<ReadonlyArray<string>>): boolean =>
  patterns.every((some) => hasTerm(text, some))

/** The headings of a page or its description, and their padded text. */
interface Lines {
  readonly lines: ReadonlyArray<string>
  readonly text: string
}

/** The part of the score of a heading that terms of a heading and of the title together have. */
const titledHeadingFactor = 0.8

/** Returns the score of the shortest line with all terms: the more of it the query covers, the better. 0 without one. */
const bestLineScore = (
  stems: string,
  { lines, text }: Lines,
  patterns: ReadonlyArray<ReadonlyArray<string>>,
  otherLength: number
): number => {
  // Terms that are not in all lines together are not in one of them.
  if (lines.length === 0 || !hasAllTerms(text, patterns)) return 0
  const lengths = lines.flatMap((line) => (hasAllTerms(padded(line), patterns) ? [line.length] : []))
  return lengths.length === 0
    ? 0
    : (classScores.allInHeading * stems.length) / (stems.length + otherLength + Math.min(...lengths))
}

/** Returns the score of the best class that the title or a heading of a page belongs to. */
const classScoreOf = (
  { words, stems }: RankedQuery,
  patterns: ReadonlyArray<ReadonlyArray<string>>,
  row: RankedRow,
  title: string,
  headings: Lines
): number => {
  // Of two titles with the same stems, the one with the same words is better.
  if (row.title === stems) {
    return (
      classScores.exactTitle +
      (row.nameWords === words ? proximityScore : row.nameWords.startsWith(words) ? proximityScore / 2 : 0)
    )
  }
  if (row.nameWords.startsWith(words) || `${row.title} `.startsWith(`${stems} `)) {
    return classScores.titlePrefix + (100 * stems.length) / row.title.length
  }
  if (hasAllTerms(title, patterns)) {
    return classScores.allInTitle + (300 * stems.length) / row.title.length
  }
  if (headings.lines.includes(stems)) return classScores.allInHeading + proximityScore
  const score = bestLineScore(stems, headings, patterns, 0)
  if (score > 0) return score
  // The title names the subject of headings, and of the description.
  const rest = patterns.filter((some) => !hasTerm(title, some))
  const description = row.kinds.startsWith("d") ? row.body.split("\n", 1) : []
  const described = { lines: description, text: padded(description.join("")) }
  return Math.max(
    bestLineScore(stems, described, rest, row.title.length),
    rest.length === patterns.length
      ? 0
      : titledHeadingFactor * bestLineScore(stems, headings, rest, row.title.length)
  )
}

/** The matches of one page, before they are weighted. */
interface Matches {
  /** The weighted and saturated number of occurrences, by term. */
  readonly occurrences: ReadonlyArray<number>
  /** The score that does not depend on other pages. */
  readonly score: number
  /** Whether the title contains each term. */
  readonly inTitle: ReadonlyArray<boolean>
  /** The part of the title that the query has, from 0 to 1. */
  readonly titleShare: number
}

/** The range of the offsets of a line in padded text, and its kind. */
interface WeightedLine {
  readonly start: number
  readonly end: number
  readonly weight: number
}

/** Returns the lines of a body whose weight is not that of plain text. */
const weightedLinesOf = ({ body, kinds }: RankedRow): ReadonlyArray<WeightedLine> => {
  if (!/[dc]/.test(kinds)) return []
  let end = 0
  return body.split("\n").flatMap((line, index) => {
    // The padding has a space at the start, and one more between lines.
    const start = end
    end += line.length + 2
    const kind = kinds[index]
    if (kind !== "d" && kind !== "c") return []
    return [{ start, end, weight: kind === "d" ? fieldWeights.description : fieldWeights.code }]
  })
}

/** Returns the weight of occurrences in a body. */
const weightOf = (offsets: ReadonlyArray<number>, lines: ReadonlyArray<WeightedLine>): number =>
  lines.length === 0
    ? offsets.length * fieldWeights.body
    : offsets.reduce(
        (sum, at) =>
          sum + (lines.find(({ start, end }) => at >= start && at < end)?.weight ?? fieldWeights.body),
        0
      )

const matchesOf = (
  query: RankedQuery,
  patterns: ReadonlyArray<ReadonlyArray<string>>,
  rows: ReadonlyArray<RankedRow>
): Matches => {
  const row = rows[0]!
  const title = padded(row.title)
  const lines = rows.map(({ headings }) => headings.split("\n"))
  const path = padded(lines[0]!.at(-1)!)
  const headings = lines.flatMap((all) => all.slice(0, -1).filter((heading) => heading !== ""))
  const headingText = padded(headings.join("\n"))
  const bodies = rows.map(({ body }) => padded(body))
  const length = bodies.reduce((sum, body) => sum + body.length, 0)
  const lengthFactor = 0.6 + (0.4 * length) / averageBodyLength
  let span = Infinity
  const inBody = patterns.map(() => 0)
  for (const [index, body] of bodies.entries()) {
    const found = patterns.map((some) => occurrencesOf(body, some))
    const weightedLines = weightedLinesOf(rows[index]!)
    for (const [term, offsets] of found.entries()) inBody[term]! += weightOf(offsets, weightedLines)
    if (patterns.length > 1) span = Math.min(span, shortestSpan(found))
  }
  const occurrences = patterns.map((some, term) => {
    const weighted =
      fieldWeights.title * Number(hasTerm(title, some)) +
      fieldWeights.headings * Math.min(3, occurrencesOf(headingText, some).length) +
      fieldWeights.path * Number(hasTerm(path, some)) +
      inBody[term]! / lengthFactor
    return weighted / (weighted + saturation)
  })
  const proximity = span > proximityLength ? 0 : proximityScore * (1 - span / proximityLength)
  const identifiers = query.identifiers.filter((stems) =>
    [title, headingText, ...bodies].some((text) => text.includes(` ${stems} `))
  ).length
  const titleWords = row.title.split(" ")
  const queried = titleWords.filter((word) => patterns.some((some) => hasTerm(padded(word), some)))
  return {
    occurrences,
    inTitle: patterns.map((some) => hasTerm(title, some)),
    titleShare: queried.join("").length / Math.max(1, titleWords.join("").length),
    score:
      classScoreOf(query, patterns, row, title, { lines: headings, text: headingText }) +
      proximity +
      identifierScore * identifiers
  }
}

/**
 * Returns the scores of pages, in the same order: higher is better, and positive. `pages` are the rows of each
 * candidate, in the order of their parts. Rare words among the candidates count more than frequent ones.
 */
export const rankPages = (
  query: RankedQuery,
  pages: ReadonlyArray<ReadonlyArray<RankedRow>>
): ReadonlyArray<number> => {
  const patterns = query.terms.map(patternsOf)
  const matches = pages.map((rows) => matchesOf(query, patterns, rows))
  const weights = patterns.map((_, term) => {
    const frequency = matches.filter(({ occurrences }) => occurrences[term]! > 0).length
    return Math.log(1 + (pages.length + 0.5) / (frequency + 0.5))
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const titleWeights = patterns.map((_, term) => {
    const frequency = matches.filter(({ inTitle }) => inTitle[term]).length
    return frequency === 0 ? 0 : Math.log(1 + (pages.length + 0.5) / (frequency + 0.5))
  })
  const titleTotal = titleWeights.reduce((sum, weight) => sum + weight, 0)
  return matches.map(({ occurrences, score, inTitle, titleShare }) => {
    const named = inTitle.reduce((sum, isIn, term) => sum + (isIn ? titleWeights[term]! : 0), 0)
    const subject = titleTotal === 0 ? 0 : (namedScore * Math.sqrt(titleShare) * named) / titleTotal
    const covered = occurrences.reduce((sum, count, term) => sum + (count > 0 ? weights[term]! : 0), 0)
    const counted = occurrences.reduce((sum, count, term) => sum + count * weights[term]!, 0)
    return 1 + score + subject + (200 * covered) / total + (300 * counted) / total
  })
}
