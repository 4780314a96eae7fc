/** Updates the search index in the transactions that change content. */
import { Effect } from "effect"
import { type Subscription, subscribeToEvent } from "../../kernel/events/TransactionEvents.ts"
import { OpenApiSpecChanged } from "../../tables/openapi-specs/OpenApiSpecEvents.ts"
import { SpaceDuplicated } from "../../tables/spaces/SpaceEvents.ts"
import { RevisionCommitted } from "../content/ContentEvents.ts"
import { SearchIndex } from "./SearchIndex.ts"

/** Updates the index for each new revision, and schedules a rebuild for each copy of a space. */
export const searchSubscriptions: Effect.Effect<ReadonlyArray<Subscription>, never, SearchIndex> = Effect.map(
  SearchIndex,
  (search) => [
    subscribeToEvent(RevisionCommitted, ({ space, before, after, outlines }) =>
      search.updateForRevision(space, before, after, outlines)
    ),
    subscribeToEvent(SpaceDuplicated, ({ copy }) => search.scheduleReindex(copy)),
    subscribeToEvent(OpenApiSpecChanged, ({ organization }) => search.scheduleSpecs(organization))
  ]
)
