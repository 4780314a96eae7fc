/** Derives the rows of the search index from the outline of a page. */

import type { PagePresentation, Passage, SearchPartRow, SpaceRow } from "@lectern/kernel/tables"
import type { Outline, Section } from "@lectern/markdown/outline"
import { stemOf, wordsOf } from "@lectern/markdown/text"
import type { PageId } from "@lectern/model/content"
import { Effect } from "effect"
import { audiencesOf } from "./audiences.ts"

/**
 * The maximum number of words per part. Phrases match within a part only, and the stores support only a limited number
 * of positions per row.
 */
export const maximumPartWords = 4_000

/** The maximum length of a passage, in UTF-16 code units. */
const maximumPassageLength = 8_000

/** A space, with the organization that its rows name. */
export type IndexedSpace = Pick<SpaceRow, "id" | "organization">

/** The input of the rows of a page. */
export interface IndexedPage {
  readonly space: IndexedSpace
  readonly id: PageId
  /** The computed page that the page is generated from; empty for other pages. */
  readonly source: PageId | ""
  readonly name: string
  readonly description: string
  readonly path: string
  readonly presentation: PagePresentation
  /** The conditions under which visitors see the page. */
  readonly conditions: ReadonlyArray<string>
  readonly outline: Outline
}

/** The rows of a page or of several. */
export interface IndexedRows {
  readonly rows: ReadonlyArray<SearchPartRow>
  /** The words of each page as they are written, for the vocabulary. */
  readonly words: ReadonlyMap<PageId, ReadonlySet<string>>
  /** The conditions of their audiences, by name. */
  readonly conditions: ReadonlyMap<string, ReadonlyArray<string>>
}

/** A passage that is prepared for the index. */
interface PreparedPassage {
  readonly passage: Passage
  readonly kind: "d" | "c" | "t"
  /** The words of the heading, if this is its first passage. */
  readonly heading: ReadonlyArray<string>
  readonly words: ReadonlyArray<string>
}

/** Splits text into parts of limited length, at whitespace if possible. */
const splitText = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let rest = text
  while (rest.length > maximumPassageLength) {
    const at = rest.slice(0, maximumPassageLength).search(/\s\S*$/u)
    const end = at > 0 ? at : maximumPassageLength
    parts.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...parts, rest]
}

/** The number of words after which the derivation of rows lets other fibers run: about 10 ms. */
const wordsPerSlice = 5_000

/** Creates an effect that lets other fibers run when the words that it was given in all exceed a slice. */
const makePause = () => {
  let words = 0
  return (count: number): Effect.Effect<void> => {
    words += count
    if (words < wordsPerSlice) return Effect.void
    words = 0
    return Effect.yieldNow
  }
}

/** Prepares the passages of sections, in order. */
const preparePassages = Effect.fnUntraced(function* (
  sections: ReadonlyArray<Section>,
  kindOf: (section: Section) => PreparedPassage["kind"],
  pause: (count: number) => Effect.Effect<void>
): Effect.fn.Return<ReadonlyArray<PreparedPassage>> {
  const prepared: Array<PreparedPassage> = []
  let last: Section | undefined
  for (const section of sections) {
    const continues = last !== undefined && last.anchor === section.anchor && last.title === section.title
    last = section
    const { title, anchor } = section
    for (const [index, text] of splitText(section.text).entries()) {
      if (title === "" && text === "") continue
      const heading = continues || index > 0 ? [] : wordsOf(title)
      const words = wordsOf(text)
      prepared.push({ passage: { title, anchor, text }, kind: kindOf(section), heading, words })
      yield* pause(words.length)
    }
  }
  return prepared
})

/** Groups passages to parts of limited length. There is at least one part. */
const partsOf = (passages: ReadonlyArray<PreparedPassage>): ReadonlyArray<ReadonlyArray<PreparedPassage>> => {
  const parts: Array<Array<PreparedPassage>> = [[]]
  let count = 0
  for (const passage of passages) {
    const length = passage.heading.length + passage.words.length
    if (count > 0 && count + length > maximumPartWords) {
      parts.push([])
      count = 0
    }
    parts[parts.length - 1]!.push(passage)
    count += length
  }
  return parts
}

/** Adds the conditions of a page to the conditions of a section. */
const withConditions = (section: Section, conditions: ReadonlyArray<string>): Section =>
  conditions.length === 0
    ? section
    : { ...section, conditions: [...conditions, ...(section.conditions ?? [])] }

/**
 * Derives the rows of a page, in slices between which other fibers run. There is at least one, which has the title. A page with conditional content has rows for
 * members, and others for visitors: one set without conditional content, and one for each condition, with its content.
 * A page that has a condition itself has no rows for visitors who do not meet it.
 */
export const rowsOf = Effect.fnUntraced(function* ({
  space,
  id,
  source,
  name,
  description,
  path,
  presentation,
  conditions: pageConditions,
  outline
}: IndexedPage): Effect.fn.Return<IndexedRows> {
  const pause = makePause()
  const stems = (words: ReadonlyArray<string>) => words.map(stemOf).join(" ")
  const allWords = new Set<string>()
  const nameWords = wordsOf(name)
  const title = stems(nameWords)
  const pathWords = wordsOf(path).map(stemOf).join(" ")
  const sections = outline.sections.map((section) => withConditions(section, pageConditions))
  const descriptionSection = withConditions({ title: "", anchor: "", text: description }, pageConditions)
  const all = description === "" ? sections : [descriptionSection, ...sections]
  const kindOf = (section: Section) =>
    section === descriptionSection ? "d" : section.isCode === true ? "c" : "t"
  const rows: Array<SearchPartRow> = []
  const conditions = new Map<string, ReadonlyArray<string>>()
  for (const audience of audiencesOf(sections, pageConditions)) {
    if (audience.conditions !== undefined) conditions.set(audience.name, audience.conditions)
    const passages = yield* preparePassages(all.filter(audience.includes), kindOf, pause)
    for (const part of partsOf(passages)) {
      const words = new Set(part.flatMap(({ heading, words }) => [...heading, ...words]))
      for (const word of nameWords) words.add(word)
      for (const word of words) allWords.add(word)
      rows.push({
        space: space.id,
        organization: space.organization,
        page: id,
        part: rows.length,
        audience: audience.name,
        source,
        name,
        nameWords: nameWords.join(" "),
        path,
        presentation,
        title,
        headings: [...part.map(({ heading }) => stems(heading)), pathWords].join("\n"),
        body: part.map(({ words }) => stems(words)).join("\n"),
        kinds: part.map(({ kind }) => kind).join(""),
        forms: [...words].filter((word) => stemOf(word) !== word).join(" "),
        passages: part.map(({ passage }) => passage)
      })
      yield* pause(part.reduce((count, { words }) => count + words.length, 0))
    }
  }
  return { rows, words: new Map([[id, allWords]]), conditions }
})

/** The length of the bodies of rows that are inserted by one statement, in characters: 10 to 20 ms. */
const batchLength = 200_000

/** Divides rows into batches of at most `maximumRows` rows, and of limited length, each with one row or more. */
export const batchesOf = (
  rows: ReadonlyArray<SearchPartRow>,
  maximumRows: number
): ReadonlyArray<ReadonlyArray<SearchPartRow>> => {
  const batches: Array<Array<SearchPartRow>> = []
  let length = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const last = batches.at(-1)
    if (last === undefined || last.length === maximumRows || length + row.body.length > batchLength) {
      batches.push([row])
      length = row.body.length
    } else {
      last.push(row)
      length += row.body.length
    }
  }
  return batches
}

/** Joins the rows of several pages. */
export const joinRows = (all: ReadonlyArray<IndexedRows>): IndexedRows => ({
  rows: all.flatMap(({ rows }) => rows),
  words: new Map(all.flatMap(({ words }) => [...words])),
  conditions: new Map(all.flatMap(({ conditions }) => [...conditions]))
})
