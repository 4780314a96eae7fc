/** Operations that search pages, in a space or in all spaces of an organization that the caller can read. */

import { Access, type AccessError, Operations, type Query } from "@lectern/access"
import { members } from "@lectern/content"
import { makeLinkBase, Where } from "@lectern/kernel"
import { type SpaceRow, spaces } from "@lectern/kernel/tables"
import { OrganizationId } from "@lectern/model/organizations"
import {
  type SearchPageResult,
  SearchQuery,
  type SearchResults,
  type SearchSpaceResult
} from "@lectern/model/search"
import { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import type { SpaceError } from "../spaces/Spaces.ts"
import { searchInSpace, searchInSpaces } from "./searchResults.ts"

/** Operations that search pages, on behalf of the `CurrentUser`. */
export interface SearchOperations {
  /**
   * Searches the pages of the primary content of a space, best match first. A page matches if it contains every word
   * of the query. If there is no such page, misspelled words are corrected from the words of the space. If there are few, and
   * none has every word in its title, pages with any word match as well, and rank below. A query without words matches no
   * pages. Fails with `InvalidInput` for a bad cursor.
   */
  readonly searchSpace: Query<
    { space: SpaceId; input: SearchQuery },
    SearchResults<SearchPageResult>,
    SpaceError
  >
  /**
   * Searches the spaces of an organization that the caller can read, best match first. Returns the spaces with matching
   * pages, each with up to 10 pages. Pages match as in {@link searchSpace}. A query without words matches no pages. Fails with `InvalidInput` for a bad
   * cursor.
   */
  readonly searchOrganization: Query<
    { organization: OrganizationId; input: SearchQuery },
    SearchResults<SearchSpaceResult>,
    AccessError
  >
}

/** Members find all content of the spaces that they can read. Synonyms are settings of sites. */
const forMembers = { audiences: [members], settings: { synonyms: [] } }

const makeSearch = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const access = yield* Access
  const linkBase = yield* makeLinkBase

  return {
    searchSpace: query(
      "Search.searchSpace",
      { parameters: { space: SpaceId, input: SearchQuery }, authorize: allow.space("read") },
      function* ({ space: id, input }, { records, space }) {
        const request = { ...forMembers, records, base: yield* linkBase, input }
        return yield* searchInSpace(request, space.organization, id)
      }
    ),

    searchOrganization: query(
      "Search.searchOrganization",
      {
        parameters: { organization: OrganizationId, input: SearchQuery },
        authorize: allow.organization("list")
      },
      function* ({ organization, input }, { caller, records }) {
        const visible = yield* access.whereVisible(caller)
        // The index is read for these spaces only, so that the content of others changes neither the results nor their time.
        const readable = yield* records.find(spaces, {
          select: ["id"],
          where: Where.and<SpaceRow>(
            Where.eq("organization", organization),
            Where.isNull("deletedAt"),
            visible
          )
        })
        return yield* searchInSpaces({ ...forMembers, records, base: yield* linkBase, input }, organization, {
          organization,
          spaces: readable.map(({ id }) => id)
        })
      }
    )
  }
})

/** Operations that search pages: see {@link SearchOperations}. */
export class Search extends Context.Service<Search, SearchOperations>()("@lectern/core/Search") {
  static readonly layer: Layer.Layer<Search, never, Operations | Access> = Layer.effect(Search, makeSearch)
}
