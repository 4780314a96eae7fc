/** Makes the rows that a page is found by: pure functions of what is written in it. */

import type { PageId } from "../../model/content/Page.ts"
import type { Passage, SearchPageRow } from "../../model/search/SearchPage.ts"
import type { SpaceId } from "../../model/spaces/Space.ts"
import type { Outline, Section } from "../content/outline/Outline.ts"
import { stemOf, wordsOf } from "./words.ts"

/** The most words of a part: words are found together within one, and stores keep track of so many places. */
export const partWords = 4_000

/** The most characters of a passage, which is shown from and looked through as a whole. */
const passageLength = 8_000

/** What a page is found by. */
export interface FoundPage {
  readonly space: SpaceId
  readonly id: PageId
  readonly name: string
  readonly description: string
  readonly path: string
  readonly outline: Outline
}

/** A section in passages that are not too long; it is cut where there is a space, if there is one. */
const passagesOf = ({ title, anchor, text }: Section): ReadonlyArray<Passage> => {
  const passages: Array<Passage> = []
  let rest = text
  while (rest.length > passageLength) {
    const at = rest.slice(0, passageLength).search(/\s\S*$/u)
    const end = at > 0 ? at : passageLength
    passages.push({ title, anchor, text: rest.slice(0, end) })
    rest = rest.slice(end).trimStart()
  }
  return [...passages, { title, anchor, text: rest }]
}

/** The rows of a page: at least one, for its name. */
export const rowsOf = ({
  space,
  id,
  name,
  description,
  path,
  outline
}: FoundPage): ReadonlyArray<SearchPageRow> => {
  const titleWords = wordsOf(name)
  const sections = [{ title: "", anchor: "", text: description }, ...outline.sections]
  const passages = sections
    .flatMap(passagesOf)
    .filter(({ title, text }) => title !== "" || text !== "")
    .map((passage) => ({ passage, words: wordsOf(`${passage.title}\n${passage.text}`) }))
  const parts: Array<typeof passages> = [[]]
  let count = 0
  for (const one of passages) {
    if (count > 0 && count + one.words.length > partWords) {
      parts.push([])
      count = 0
    }
    parts[parts.length - 1]!.push(one)
    count += one.words.length
  }
  return parts.map((part, index) => {
    /** The stem of each word that there is: texts have the same words again and again. */
    const known = new Map<string, string>()
    const stems = (words: ReadonlyArray<string>) =>
      words
        .map((word) => {
          const stem = known.get(word) ?? stemOf(word)
          known.set(word, stem)
          return stem
        })
        .join(" ")
    const title = stems(titleWords)
    const body = part.map(({ words }) => stems(words)).join("\n")
    return {
      space,
      page: id,
      part: index,
      name,
      path,
      title,
      body,
      forms: [...known].flatMap(([word, stem]) => (stem === word ? [] : [word])).join(" "),
      passages: part.map(({ passage }) => passage)
    }
  })
}
