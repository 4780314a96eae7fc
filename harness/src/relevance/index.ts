/** The relevance benchmark of search: corpora, queries with known right pages, and measures. */
export { type Corpus, readCorpora } from "./corpora.ts"
export { type SearchCorpus, searchCorpora } from "./lectern.ts"
export { type Outcome, type Relevance, relevanceByKind, relevanceOf, runQueries } from "./measure.ts"
