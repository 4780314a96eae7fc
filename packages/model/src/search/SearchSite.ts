/** Searches of the content of a site. */

import * as Schema from "effect/Schema"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { SiteSpaceId } from "../sites/Site.ts"
import { SearchQuery } from "./SearchResult.ts"

/** The maximum number of site-spaces of a site, and so of a scope. */
const maximumSiteSpaces = 500

const siteSpaceIds = Schema.Array(SiteSpaceId).check(
  Schema.isMinLength(1, { message: "must be at least one site-space" }),
  Schema.isMaxLength(maximumSiteSpaces, { message: `must be at most ${maximumSiteSpaces} site-spaces` })
)

/** The site-spaces to search. Site-spaces that the caller cannot see are ignored. */
export const SiteSearchScope = Schema.Union([
  Schema.Struct({
    /** Searches the default site-space of the site and of each section. */
    mode: Schema.Literal("default"),
    /** A site-space to search as well. */
    currentSiteSpace: Schema.optionalKey(SiteSpaceId),
    /** Searches a part of the scope: only the current site-space, or only the other ones. */
    restrictTo: Schema.optionalKey(Schema.Literals(["currentSiteSpace", "otherSiteSpaces"])),
    /** Further site-spaces to search. */
    includedSiteSpaces: Schema.optionalKey(
      Schema.Array(SiteSpaceId).check(
        Schema.isMaxLength(maximumSiteSpaces, { message: `must be at most ${maximumSiteSpaces} site-spaces` })
      )
    )
  }),
  Schema.Struct({
    /** Searches only the given site-spaces. */
    mode: Schema.Literal("specific"),
    /** The site-spaces to search. */
    siteSpaceIds
  }),
  Schema.Struct({
    /** Searches all site-spaces. */
    mode: Schema.Literal("all")
  })
])
/** The site-spaces to search. */
export type SiteSearchScope = typeof SiteSearchScope.Type

/**
 * The words to search for in a site, and the site-spaces to search. Without `scope`, `mode`, `siteSpaceId` and
 * `siteSpaceIds` select them; all site-spaces are the default.
 */
export class SearchSiteContent extends resource<SearchSiteContent>()(
  Schema.Struct({
    /** The words to search for, at most 512 characters. */
    query: SearchQuery.fields.query,
    /** The site-spaces to search. */
    scope: Schema.optionalKey(SiteSearchScope),
    /** The site-spaces to search without `scope`: `current` is `siteSpaceId` with the defaults. */
    mode: Schema.optionalKey(Schema.Literals(["all", "current", "specific"])),
    /** The site-space of the mode `current`. */
    siteSpaceId: Schema.optionalKey(SiteSpaceId),
    /** The site-spaces of the mode `specific`. */
    siteSpaceIds: Schema.optionalKey(siteSpaceIds)
  }).annotate({ identifier: "SearchSiteContent" })
) {}

/** A search of a site, with the page of its results. */
export class SiteSearchQuery extends resource<SiteSearchQuery>()(
  Schema.Struct({
    ...SearchSiteContent.fields,
    ...PageQuery.fields,
    prefix: SearchQuery.fields.prefix
  })
) {}
