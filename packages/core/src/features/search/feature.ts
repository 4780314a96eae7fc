import { defineFeature } from "@lectern/kernel"
import { searchAudiences, searchParts, searchVocabulary } from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import { ContentStore } from "../content/ContentStore.ts"
import { Outlines } from "../content/Outlines.ts"
import { PublishedSearch } from "./PublishedSearch.ts"
import { Search } from "./Search.ts"
import { SearchIndex } from "./SearchIndex.ts"
import { SiteSearch } from "./SiteSearch.ts"
import { searchScan } from "./searchChecks.ts"
import { searchSubscriptions } from "./searchSubscriptions.ts"

/** Full-text search and its index. */
export const searchFeature = defineFeature("search", {
  uses: ["content", "spaces"],
  tables: [searchParts, searchVocabulary, searchAudiences],
  userServices: { search: Search, publishedSearch: PublishedSearch },
  layer: Layer.mergeAll(Search.layer, SearchIndex.layer, PublishedSearch.layer).pipe(
    Layer.provideMerge(SiteSearch.layer)
  ),
  scans: Effect.gen(function* () {
    const services = { content: yield* ContentStore, outlines: yield* Outlines, search: yield* SearchIndex }
    return [searchScan(services)]
  }),
  jobs: Effect.map(SearchIndex, ({ handlers }) => handlers),
  subscriptions: searchSubscriptions
})
