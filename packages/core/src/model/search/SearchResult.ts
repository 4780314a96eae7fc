/** Search queries and their results. */

import { Schema } from "effect"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { resource } from "../../kernel/schema/resource.ts"
import { PageId } from "../content/Page.ts"
import { SpaceId } from "../spaces/Space.ts"

class SearchResultUrls extends resource<SearchResultUrls>()(
  Schema.Struct({
    /** The URL in the application. */
    app: Schema.String
  })
) {}

/** A section of a page that matches the query. */
export class SearchSectionResult extends resource<SearchSectionResult>()(
  Schema.Struct({
    /** The id of the page, followed by `#` and the anchor of the section if it has a heading. */
    id: Schema.String,
    /** The heading of the section, or the title of the page for a section without a heading. */
    title: Schema.String,
    /** The path of the page, followed by `#` and the anchor of the section if it has a heading. */
    path: Schema.String,
    /** An excerpt of the text around the match. */
    body: Schema.String,
    /** URLs of the section. */
    urls: SearchResultUrls
  }).annotate({ identifier: "SearchSectionResult" })
) {}

/** A page that matches the query. */
export class SearchPageResult extends resource<SearchPageResult>()(
  Schema.Struct({
    /** The id of the page. */
    id: PageId,
    /** The title of the page. */
    title: Schema.String,
    /** The path of the page in its space: slugs separated by slashes. */
    path: Schema.String,
    /** The sections that match best, best match first. */
    sections: Schema.Array(SearchSectionResult),
    /** URLs of the page. */
    urls: SearchResultUrls
  }).annotate({ identifier: "SearchPageResult" })
) {}

/** A space with pages that match the query. */
export class SearchSpaceResult extends resource<SearchSpaceResult>()(
  Schema.Struct({
    /** The id of the space. */
    id: SpaceId,
    /** The title of the space. */
    title: Schema.String,
    /** The pages that match best, best match first, at most 10. */
    pages: Schema.Array(SearchPageResult)
  }).annotate({ identifier: "SearchSpaceResult" })
) {}

/** A search query and the page of its results. */
export class SearchQuery extends resource<SearchQuery>()(
  Schema.Struct({
    /**
     * The words to search for, at most 512 characters. Words in double quotes match as a phrase; the last word matches
     * as a prefix.
     */
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
) {}
