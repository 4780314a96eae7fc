/** What searching means, as plain as can be: every row is looked through. */
import type { PlainRow, SearchHit, SearchResult, SearchTerm, Table, TextSearch } from "@lectern/core"
import { compare } from "./compare.ts"

const wordsIn = (row: PlainRow, column: string): ReadonlyArray<string> =>
  (row[column] as string).split(/[ \n]+/).filter((word) => word !== "")

const times = (words: ReadonlyArray<string>, phrase: ReadonlyArray<string>): number =>
  words.filter((_, at) => phrase.every((word, index) => words[at + index] === word)).length

/** How often a term is in a row, more for the title; 0 where it is not. */
const weigh = (
  row: PlainRow,
  { title, body, forms }: Table.FullText,
  { phrase, prefix }: SearchTerm
): number => {
  const [inTitle, inBody, inForms] = [wordsIn(row, title), wordsIn(row, body), wordsIn(row, forms)]
  const begins = (words: ReadonlyArray<string>) =>
    prefix === undefined ? 0 : words.filter((word) => word.startsWith(prefix)).length
  return (
    10 * (times(inTitle, phrase) + begins(inTitle)) + times(inBody, phrase) + begins(inBody) + begins(inForms)
  )
}

/** See `RecordsAdapter.search`, of the rows under its condition. */
export const search = (
  rows: ReadonlyArray<PlainRow>,
  fullText: Table.FullText,
  { terms, scope, by, most, after, limit }: TextSearch
): SearchResult => {
  const items = new Map<string, { readonly scope: string; readonly item: string; readonly score: number }>()
  for (const row of rows) {
    const [its, item] = [row[fullText.scope] as string, row[fullText.item] as string]
    if (scope !== undefined && its !== scope) continue
    const weights = terms.map((term) => weigh(row, fullText, term))
    if (weights.includes(0)) continue
    const key = JSON.stringify([its, item])
    const score = Math.max(...weights, items.get(key)?.score ?? 0)
    items.set(key, { scope: its, item, score })
  }
  const inOrder = [...items.values()].sort((a, b) => b.score - a.score || compare(a.item, b.item))
  const entries =
    by === "items" ? inOrder.map((hit) => [hit]) : [...Map.groupBy(inOrder, (hit) => hit.scope).values()]
  const listed = entries
    .map((hits) => ({ id: by === "items" ? hits[0]!.item : hits[0]!.scope, best: hits[0]!.score, hits }))
    .sort((a, b) => b.best - a.best || compare(a.id, b.id))
  const rest = listed.filter(
    ({ best, id }) =>
      after === undefined || best < after.score || (best === after.score && compare(id, after.id) > 0)
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
