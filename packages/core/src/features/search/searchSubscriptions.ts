/** Updates the search index in the transactions that change content. */

import { type Subscription, subscribeToEvent } from "@lectern/kernel"
import { OpenApiSpecChanged, SpaceDuplicated, SpacesTransferred } from "@lectern/kernel/tables"
import { Effect } from "effect"
import { RevisionCommitted } from "../content/ContentEvents.ts"
import { SearchIndex } from "./SearchIndex.ts"

/** Updates the index for each new revision, and schedules a rebuild for each space that is copied or transferred. */
export const searchSubscriptions: Effect.Effect<ReadonlyArray<Subscription>, never, SearchIndex> = Effect.map(
  SearchIndex,
  (search) => [
    subscribeToEvent(RevisionCommitted, ({ space, organization, before, after, outlines }) =>
      search.updateForRevision({ id: space, organization }, { before, after, parsed: outlines })
    ),
    subscribeToEvent(SpaceDuplicated, ({ copy }) => search.scheduleReindex(copy)),
    // The key of the rows names the organization.
    subscribeToEvent(SpacesTransferred, ({ spaces }) =>
      Effect.forEach(spaces, (space) => search.scheduleReindex(space), { discard: true })
    ),
    subscribeToEvent(OpenApiSpecChanged, ({ organization }) => search.scheduleSpecs(organization))
  ]
)
