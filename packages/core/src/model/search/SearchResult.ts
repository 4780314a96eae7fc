/** What searching finds, as the specification shows it. */
import { Schema } from "effect"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { PageId } from "../content/Page.ts"
import { SpaceId } from "../spaces/Space.ts"

const urls = Schema.Struct({ app: Schema.String })

/** A section of a page, with the text around what was looked for. */
export const SearchSectionResult = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  path: Schema.String,
  body: Schema.String,
  urls
}).annotate({ identifier: "SearchSectionResult" })
export type SearchSectionResult = typeof SearchSectionResult.Type

/** A page, with the sections that fit best. */
export const SearchPageResult = Schema.Struct({
  id: PageId,
  title: Schema.String,
  path: Schema.String,
  sections: Schema.Array(SearchSectionResult),
  urls
}).annotate({ identifier: "SearchPageResult" })
export type SearchPageResult = typeof SearchPageResult.Type

/** A space, with the pages that fit best. */
export const SearchSpaceResult = Schema.Struct({
  id: SpaceId,
  title: Schema.String,
  pages: Schema.Array(SearchPageResult)
}).annotate({ identifier: "SearchSpaceResult" })
export type SearchSpaceResult = typeof SearchSpaceResult.Type

/** What is looked for: any text, of at most 512 characters. */
export const SearchQuery = Schema.Struct({
  query: Schema.String.check(
    Schema.makeFilter(
      (query: string) =>
        query.length <= 512 || (query.length <= 1024 && Array.from(query).length <= 512)
          ? undefined
          : "must be text of at most 512 characters",
      { toJsonSchema: () => ({ maxLength: 512 }) }
    )
  ),
  ...PageQuery.fields
})
export type SearchQuery = typeof SearchQuery.Type
