/** Selects the passages that a model reads, within a bound of characters. */
import { stemOf, stopWords, wordsOf } from "@lectern/markdown/text"
import type { Passage, ReadablePage, Source } from "./Passage.ts"
import { passagesOf } from "./passagesOf.ts"

/** The maximum length of all passages of a question, in characters: about 6,000 tokens. */
export const maximumContextLength = 24_000

/** The words of a question whose passages are preferred. A question of only frequent words has no words without them. */
const questionWords = (question: string): ReadonlySet<string> => {
  const all = wordsOf(question)
  const rare = all.filter((word) => !stopWords.has(word))
  return new Set((rare.length === 0 ? all : rare).map(stemOf))
}

/** The share of the words of a question that are in text. A word of the title or the heading counts like one of the text. */
const scoreOf = (words: ReadonlySet<string>, text: string): number => {
  if (words.size === 0) return 0
  const found = new Set(wordsOf(text).map(stemOf))
  let common = 0
  for (const word of words) if (found.has(word)) common++
  return common / words.size
}

interface Candidate {
  readonly page: ReadablePage
  readonly passage: Passage
  /** The place of the passage among all, in the order of the pages. */
  readonly place: number
  readonly score: number
}

/**
 * Selects the passages of pages, best match first, until they have `maximumContextLength` characters. The result has the pages in the
 * given order, with their passages in reading order, and without pages of which no passage was selected.
 */
export const selectSources = (
  question: string,
  pages: ReadonlyArray<ReadablePage>,
  maximumLength: number = maximumContextLength
): ReadonlyArray<Source> => {
  const words = questionWords(question)
  const candidates = pages
    .flatMap((page) => passagesOf(page.markdown).map((passage) => ({ page, passage })))
    .map(
      ({ page, passage }, place): Candidate => ({
        page,
        passage,
        place,
        score: scoreOf(words, `${page.title}\n${passage.heading}\n${passage.text}`)
      })
    )
    .sort((one, other) => other.score - one.score || one.place - other.place)
  const selected = new Set<Passage>()
  let length = 0
  for (const { passage } of candidates) {
    if (length + passage.text.length > maximumLength) continue
    selected.add(passage)
    length += passage.text.length
  }
  const inOrder = candidates.toSorted((one, other) => one.place - other.place)
  return pages
    .map((page) => ({
      page,
      passages: inOrder
        .filter((candidate) => candidate.page === page && selected.has(candidate.passage))
        .map(({ passage }) => passage)
    }))
    .filter(({ passages }) => passages.length > 0)
    .map(({ page: { markdown: _, ...page }, passages }, index) => ({ ...page, number: index + 1, passages }))
}
