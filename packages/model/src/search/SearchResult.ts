/** Search queries and their results. */

import * as Schema from "effect/Schema"
import { PageId } from "../content/Page.ts"
import { type Page, PageQuery, pageOf } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { SpaceId } from "../spaces/Space.ts"

class SearchResultUrls extends resource<SearchResultUrls>()(
  Schema.Struct({
    /** The URL in the application. */
    app: Schema.String
  })
) {}

/** A part of a string: offsets in UTF-16 code units, as in JavaScript. */
export class TextRange extends resource<TextRange>()(
  Schema.Struct({
    /** The offset of the first character. */
    start: Schema.Int,
    /** The offset after the last character. */
    end: Schema.Int
  }).annotate({ identifier: "TextRange" })
) {}

/** A page above another one. */
export class SearchBreadcrumb extends resource<SearchBreadcrumb>()(
  Schema.Struct({
    /** The id of the page. */
    id: PageId,
    /** The title of the page. */
    title: Schema.String,
    /** The emoji of the page. Absent for pages without one. */
    emoji: Schema.optionalKey(Schema.String),
    /** The name of the icon of the page. Absent for pages without one. */
    icon: Schema.optionalKey(Schema.String)
  }).annotate({ identifier: "SearchBreadcrumb" })
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
    /** The score of the page. */
    score: Schema.Finite,
    /** An excerpt of the text around the match, without markup. */
    body: Schema.String,
    /** The parts of `title` that match the query, in order. */
    titleHighlights: Schema.Array(TextRange),
    /** The parts of `body` that match the query, in order. */
    bodyHighlights: Schema.Array(TextRange),
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
    /** The description of the page; empty without one, and for suggestions. */
    description: Schema.String,
    /** The path of the page in its space: slugs separated by slashes. */
    path: Schema.String,
    /** How well the page matches: 0 or more, without a maximum. It is 0 for matches after the ranked results. */
    score: Schema.Finite,
    /** The position of the page by its score, from 1 on, among the results of this response, after the results of earlier pages of the list. */
    rank: Schema.Int,
    /** The titles of the pages above the page, from the root. */
    ancestors: Schema.Array(
      Schema.Struct({
        /** The title. */
        title: Schema.String
      })
    ),
    /** The emoji of the page. Absent for pages without one. */
    emoji: Schema.optionalKey(Schema.String),
    /** The name of the icon of the page. Absent for pages without one. */
    icon: Schema.optionalKey(Schema.String),
    /** The pages above the page, from the root. */
    breadcrumbs: Schema.Array(SearchBreadcrumb),
    /** The parts of `title` that match the query, in order. */
    titleHighlights: Schema.Array(TextRange),
    /** The sections that match best, best match first. Empty for suggestions. */
    sections: Schema.Array(SearchSectionResult),
    /** URLs of the page. */
    urls: SearchResultUrls
  }).annotate({ identifier: "SearchPageResult" })
) {}

/** A space with pages that match the query. */
export class SearchSpaceResult extends resource<SearchSpaceResult>()(
  Schema.Struct({
    /** The type of the result: always `space`. */
    type: Schema.Literal("space"),
    /** The id of the space. */
    id: SpaceId,
    /** The title of the space. */
    title: Schema.String,
    /** The score of the page that matches best. */
    score: Schema.Finite,
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
    /**
     * Whether to return suggestions while the query is being typed: pages whose title or headings match, without
     * sections. False by default.
     */
    prefix: Schema.optionalKey(Schema.Boolean),
    ...PageQuery.fields
  })
) {}

/** Creates the schema of a page of search results. */
export const searchPageOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    ...pageOf(item).fields,
    didYouMean: Schema.optionalKey(Schema.String).annotate({
      description:
        "The query with corrected spelling, if no page has all of its words and the results are for the corrected ones."
    })
  })

/** A page of search results. */
export interface SearchResults<A> extends Page<A> {
  /** The query with corrected spelling, if no page has all of its words and the results are for the corrected ones. */
  readonly didYouMean?: string
}
