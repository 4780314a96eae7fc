/** The expressions of a search that read the text of rows: the phrases in it, and the number of its words. */
import type { SearchTerm, TextSearch } from "@lectern/kernel"

/** A column whose words a search counts. */
export interface RankedText {
  readonly column: string
  readonly weight: number
  /** Whether only prefixes match its words. */
  readonly isForms?: true
}

/** Matches the characters between words, or the beginning or the end of a value. */
const [start, gap, end] = ["(^|[ \\n])", "[ \\n]+", "($|[ \\n])"]

/** Returns the regular expression that a value matches if it contains a term. Words contain no operators. */
const termPattern = (
  { phrase, prefix, alternatives = [] }: SearchTerm,
  isForms: boolean
): string | undefined => {
  const phrases = isForms ? [] : [phrase, ...alternatives].map((words) => `${words.join(gap)}${end}`)
  const all = [...phrases, ...(prefix === undefined ? [] : [prefix])]
  return all.length === 0 ? undefined : `${start}(${all.join("|")})`
}

/**
 * Returns the condition that rows which contain the words of a search contain its phrases, with `AND` before it. It is empty for
 * a search without phrases of several words, which the index decides.
 */
export const matchesPhrases = (
  { terms, match = "all" }: TextSearch,
  texts: ReadonlyArray<RankedText>,
  value: (text: string) => string
): string => {
  const hasPhrase = terms.some(({ phrase, alternatives = [] }) =>
    [phrase, ...alternatives].some(({ length }) => length > 1)
  )
  if (!hasPhrase) return ""
  const conditions = terms.map((term) => {
    const inTexts = texts.flatMap(({ column, isForms }) => {
      const pattern = termPattern(term, isForms === true)
      return pattern === undefined ? [] : [`"rows"."${column}" ~ ${value(pattern)}`]
    })
    return `(${inTexts.join(" OR ")})`
  })
  return ` AND (${conditions.join(match === "all" ? " AND " : " OR ")})`
}

/** Returns the words and phrases that a column is searched for, each with the characters around it. */
const countedWords = ({ phrase, prefix, alternatives = [] }: SearchTerm, isForms: boolean) => [
  ...(isForms ? [] : [phrase, ...alternatives].map((words) => ` ${words.join(" ")} `)),
  ...(prefix === undefined ? [] : [` ${prefix}`])
]

/**
 * Returns the expression for the score of a row of the table `matched`. The score of a column is the sum of the numbers of the words,
 * where each further word counts less, times its weight. Long values count less.
 */
export const countWords = (
  { terms }: TextSearch,
  texts: ReadonlyArray<RankedText>,
  value: (text: string) => string
): string => {
  const lengths = texts.map(({ column }) => `length("${column}")`).join(" + ")
  const scores = texts.flatMap(({ column, weight, isForms }) => {
    const counts = terms.flatMap((term) =>
      countedWords(term, isForms === true).map((word) => {
        const without = `length(replace("text", ${value(word)}, ''))`
        return `(length("text") - ${without})::double precision / ${[...word].length}`
      })
    )
    if (counts.length === 0) return []
    const text = `' ' || translate("${column}", E'\\n', ' ') || ' ' AS "text"`
    const saturated = counts.map(
      (count) => `(SELECT "n" / ("n" + 0.6) FROM (SELECT ${count} AS "n") AS "counts")`
    )
    return [`${weight} * (SELECT ${saturated.join(" + ")} FROM (SELECT ${text} OFFSET 0) AS "texts")`]
  })
  return `((${scores.join(" + ")}) / (1 + ln(1 + ${lengths})))::double precision`
}
