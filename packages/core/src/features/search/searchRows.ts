/** Derives the rows of the search index from the outline of a page. */

import type { PageId } from "../../model/content/Page.ts"
import type { Passage, SearchPageRow } from "../../model/search/SearchPage.ts"
import type { SpaceId } from "../../model/spaces/Space.ts"
import type { Outline, Section } from "../content/outline/Outline.ts"
import { stemOf, wordsOf } from "./words.ts"

/**
 * The maximum number of words per part. Phrases match within a part only, and the stores support only a limited number
 * of positions per row.
 */
export const maximumPartWords = 4_000

/** The maximum length of a passage, in UTF-16 code units. */
const maximumPassageLength = 8_000

/** The input of the rows of a page. */
export interface IndexedPage {
  readonly space: SpaceId
  readonly id: PageId
  readonly name: string
  readonly description: string
  readonly path: string
  readonly outline: Outline
}

/** Splits a section into passages of limited length, at whitespace if possible. */
const passagesOf = ({ title, anchor, text }: Section): ReadonlyArray<Passage> => {
  const passages: Array<Passage> = []
  let rest = text
  while (rest.length > maximumPassageLength) {
    const at = rest.slice(0, maximumPassageLength).search(/\s\S*$/u)
    const end = at > 0 ? at : maximumPassageLength
    passages.push({ title, anchor, text: rest.slice(0, end) })
    rest = rest.slice(end).trimStart()
  }
  return [...passages, { title, anchor, text: rest }]
}

/** Derives the rows of a page, one per part. There is at least one, which has the title. */
export const rowsOf = ({
  space,
  id,
  name,
  description,
  path,
  outline
}: IndexedPage): ReadonlyArray<SearchPageRow> => {
  const titleWords = wordsOf(name)
  const sections = [{ title: "", anchor: "", text: description }, ...outline.sections]
  const passages = sections
    .flatMap(passagesOf)
    .filter(({ title, text }) => title !== "" || text !== "")
    .map((passage) => {
      const heading = wordsOf(passage.title)
      return { passage, heading, words: [...heading, ...wordsOf(passage.text)] }
    })
  const parts: Array<typeof passages> = [[]]
  let count = 0
  for (const passage of passages) {
    if (count > 0 && count + passage.words.length > maximumPartWords) {
      parts.push([])
      count = 0
    }
    parts[parts.length - 1]!.push(passage)
    count += passage.words.length
  }
  return parts.map((part, index) => {
    /** Caches the stem of each word, because words repeat. */
    const stemByWord = new Map<string, string>()
    const stems = (words: ReadonlyArray<string>) =>
      words
        .map((word) => {
          const stem = stemByWord.get(word) ?? stemOf(word)
          stemByWord.set(word, stem)
          return stem
        })
        .join(" ")
    const title = stems(titleWords)
    const headings = part.map(({ heading }) => stems(heading)).join("\n")
    const body = part.map(({ words }) => stems(words)).join("\n")
    return {
      space,
      page: id,
      part: index,
      name,
      path,
      title,
      headings,
      body,
      forms: [...stemByWord].flatMap(([word, stem]) => (stem === word ? [] : [word])).join(" "),
      passages: part.map(({ passage }) => passage)
    }
  })
}

const vocabularyWordPattern = /^\p{L}{4,32}$/u

/** Returns the words of rows that the vocabulary for corrections contains, each once. */
export const vocabularyOf = (
  rows: ReadonlyArray<Pick<SearchPageRow, "title" | "body" | "forms">>
): ReadonlyArray<string> => {
  const words = new Set<string>()
  for (const { title, body, forms } of rows) {
    for (const text of [title, body, forms]) for (const word of text.split(/[ \n]/)) words.add(word)
  }
  return [...words].filter((word) => vocabularyWordPattern.test(word))
}
