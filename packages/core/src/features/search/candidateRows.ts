/** Reads the rows of the candidates of a search. */

import type { GrantedReader } from "@lectern/access"
import { type SearchHit, type StorageUnavailable, type TextSearch, Where } from "@lectern/kernel"
import { inSpaces, type SearchedSpaces, type SearchPartRow, searchParts } from "@lectern/kernel/tables"
import type { PageId } from "@lectern/model/content"
import type { SearchSettings } from "@lectern/model/sites"
import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"

/** Where and how to search. */
export interface RankedSearch extends Pick<TextSearch, "by" | "most" | "titlesOnly"> {
  readonly query: string
  /** The audiences that the caller belongs to. */
  readonly audiences: ReadonlyArray<string>
  readonly settings: SearchSettings
  /** The spaces that are searched. */
  readonly searched: SearchedSpaces
}

/** The columns of rows that are read for each candidate. The passages are read for the results only. */
const candidateColumns = [
  "space",
  "page",
  "part",
  "name",
  "nameWords",
  "path",
  "presentation",
  "title",
  "headings",
  "body",
  "kinds"
] as const

/** A row of a candidate. */
export type CandidateRow = Pick<SearchPartRow, (typeof candidateColumns)[number]>

/** The rows of pages by {@link pageKey}. */
export type RowsByPage = ReadonlyMap<string, ReadonlyArray<CandidateRow>>

/** Returns the key of a page of a space. */
export const pageKey = (space: string, page: string): string => `${space}/${page}`

/** Returns the {@link pageKey} of a hit. */
export const keyOfHit = ({ scope, item }: SearchHit): string => pageKey(scope, item)

/** The condition on the rows of the audiences of a search. */
export const isForAudience = ({ audiences }: RankedSearch) =>
  Where.isIn<SearchPartRow, "audience">("audience", ["", ...audiences])

/** The condition on the rows of the pages of hits. */
export const whereHits = (
  { searched: { organization } }: RankedSearch,
  hits: ReadonlyArray<SearchHit>
): Where.Where<SearchPartRow> =>
  Where.and<SearchPartRow>(
    inSpaces({ organization, spaces: [...new Set(hits.map(({ scope }) => scope as SpaceId))] }),
    Where.isIn("page", [...new Set(hits.map(({ item }) => item as PageId))])
  )

/** Reads the rows of the pages of hits. */
export const readRows = Effect.fnUntraced(function* (
  records: GrantedReader,
  search: RankedSearch,
  hits: ReadonlyArray<SearchHit>
): Effect.fn.Return<RowsByPage, StorageUnavailable> {
  if (hits.length === 0) return new Map()
  const rows = yield* records.find(searchParts, {
    select: [...candidateColumns],
    where: Where.and<SearchPartRow>(whereHits(search, hits), isForAudience(search)),
    orderBy: ["space", "page", "part"]
  })
  return Map.groupBy(rows, ({ space, page }) => pageKey(space, page))
})
