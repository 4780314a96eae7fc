/** The reference semantics of full-text search: a scan of every row. */
import type { PlainRow, SearchHit, SearchResult, SearchTerm, Table, TextSearch } from "@lectern/core"
import { compareScalars } from "./compare.ts"

/** Splits a text column into its words. A missing column is empty. */
const wordsIn = (row: PlainRow, column: string | undefined): ReadonlyArray<string> =>
  column === undefined ? [] : (row[column] as string).split(/[ \n]+/).filter((word) => word !== "")

/** Counts the occurrences of a phrase. */
const countPhrase = (words: ReadonlyArray<string>, phrase: ReadonlyArray<string>): number =>
  words.filter((_, at) => phrase.every((word, index) => words[at + index] === word)).length

/** The words of a row by the column that contains them, with the weight of each. */
const fieldsOf = (
  row: PlainRow,
  { title, headings, body, forms }: Pick<Table.FullText, "title" | "headings" | "body" | "forms">,
  titlesOnly: boolean
) => ({
  text: [
    { words: wordsIn(row, title), weight: 10 },
    { words: wordsIn(row, headings), weight: 4 },
    ...(titlesOnly ? [] : [{ words: wordsIn(row, body), weight: 1 }])
  ],
  forms: titlesOnly ? [] : wordsIn(row, forms)
})

/** Returns the weighted number of occurrences of a term in a row. 0 means that it does not match. */
const scoreTerm = (
  { text, forms }: ReturnType<typeof fieldsOf>,
  { phrase, prefix, alternatives = [] }: SearchTerm
): number => {
  const countPrefix = (words: ReadonlyArray<string>) =>
    prefix === undefined ? 0 : words.filter((word) => word.startsWith(prefix)).length
  const countPhrases = (words: ReadonlyArray<string>) =>
    [phrase, ...alternatives].reduce((sum, some) => sum + countPhrase(words, some), 0)
  return text.reduce(
    (sum, { words, weight }) => sum + weight * (countPhrases(words) + countPrefix(words)),
    countPrefix(forms)
  )
}

/** Exceeds the scores of items without a match in titles. */
const titledScore = 1_000_000

/** Searches the rows that match `TextSearch.where`. Returns what `RecordsAdapter.search` specifies. */
export const searchRows = (
  rows: ReadonlyArray<PlainRow>,
  fullText: Table.FullText,
  search: TextSearch
): SearchResult => {
  const { terms, match = "all", titlesOnly = false, audiences = [], by, most, after, limit } = search
  const scopes = new Set(search.scopes)
  const items = new Map<string, { readonly scope: string; readonly item: string; readonly score: number }>()
  for (const row of rows) {
    const [rowScope, item] = [row[fullText.scope] as string, row[fullText.item] as string]
    if (!scopes.has(rowScope)) continue
    const rowAudiences = wordsIn(row, fullText.audience)
    if (rowAudiences.length > 0 && !rowAudiences.some((name) => audiences.includes(name))) continue
    const fields = fieldsOf(row, fullText, titlesOnly)
    const scores = terms.map((term) => scoreTerm(fields, term))
    if (match === "all" ? scores.includes(0) : scores.every((score) => score === 0)) continue
    const key = JSON.stringify([rowScope, item])
    const score = Math.max(...scores, items.get(key)?.score ?? 0)
    items.set(key, { scope: rowScope, item, score })
  }
  const { titlesFirst } = search
  if (by === "items" && titlesFirst !== undefined && !titlesOnly) {
    const { titlesFirst: _, after: __, ...others } = search
    const { headings: ___, ...inTitle } = fullText
    const titled = searchRows(rows, inTitle, { ...others, titlesOnly: true, limit: rows.length })
    if (titled.count >= titlesFirst) {
      for (const { scope, item, score } of titled.hits) {
        items.set(JSON.stringify([scope, item]), { scope, item, score: titledScore + score })
      }
    }
  }
  const inOrder = [...items.values()].sort((a, b) => b.score - a.score || compareScalars(a.item, b.item))
  const entries =
    by === "items" ? inOrder.map((hit) => [hit]) : [...Map.groupBy(inOrder, (hit) => hit.scope).values()]
  const listed = entries
    .map((hits) => ({ id: by === "items" ? hits[0]!.item : hits[0]!.scope, best: hits[0]!.score, hits }))
    .sort((a, b) => b.best - a.best || compareScalars(a.id, b.id))
  const rest = listed.filter(
    ({ best, id }) =>
      after === undefined || best < after.score || (best === after.score && compareScalars(id, after.id) > 0)
  )
  return {
    count: listed.length,
    hits: rest
      .slice(0, limit)
      .flatMap(({ best, hits }) =>
        hits.slice(0, by === "items" ? 1 : most).map((hit): SearchHit => ({ ...hit, best }))
      )
  }
}
