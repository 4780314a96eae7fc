/** Measures how well a search engine ranks the right pages of the queries. */
import type { Corpus } from "./corpora.ts"
import type { SearchCorpus } from "./lectern.ts"
import { type QueryKind, queriesOf, type RelevanceQuery } from "./queries.ts"

/** The result of a query: the rank of the first right page, from 1, and the number of results. */
export interface Outcome extends RelevanceQuery {
  readonly corpus: string
  readonly rank: number | undefined
  readonly resultCount: number
}

/** The relevance of a set of outcomes. Each except the number of queries is between 0 and 1. */
export interface Relevance {
  readonly queries: number
  /** The share of queries with a right page first. */
  readonly hitAt1: number
  /** The share of queries with a right page among the first five. */
  readonly hitAt5: number
  /** The mean reciprocal rank of the first right page. */
  readonly meanReciprocalRank: number
  /** The share of queries without results. */
  readonly empty: number
}

/** Runs all queries of the corpora. */
export const runQueries = async (
  corpora: ReadonlyArray<Corpus>,
  search: SearchCorpus
): Promise<ReadonlyArray<Outcome>> => {
  const outcomes: Array<Outcome> = []
  for (const corpus of corpora) {
    for (const query of queriesOf(corpus)) {
      const results = await search(corpus.name, query.query)
      const index = results.findIndex((id) => query.expected.has(id))
      outcomes.push({
        ...query,
        corpus: corpus.name,
        rank: index === -1 ? undefined : index + 1,
        resultCount: results.length
      })
    }
  }
  return outcomes
}

/** Summarizes outcomes. */
export const relevanceOf = (outcomes: ReadonlyArray<Outcome>): Relevance => {
  const share = (isCounted: (outcome: Outcome) => boolean) =>
    outcomes.filter(isCounted).length / Math.max(1, outcomes.length)
  return {
    queries: outcomes.length,
    hitAt1: share(({ rank }) => rank === 1),
    hitAt5: share(({ rank = Infinity }) => rank <= 5),
    meanReciprocalRank:
      outcomes.reduce((sum, { rank }) => sum + (rank === undefined ? 0 : 1 / rank), 0) /
      Math.max(1, outcomes.length),
    empty: share(({ resultCount }) => resultCount === 0)
  }
}

/** Returns the relevance by kind of query. */
export const relevanceByKind = (outcomes: ReadonlyArray<Outcome>): ReadonlyMap<QueryKind, Relevance> =>
  new Map(
    [...Map.groupBy(outcomes, ({ kind }) => kind)].map(([kind, some]) => [kind, relevanceOf(some)] as const)
  )
