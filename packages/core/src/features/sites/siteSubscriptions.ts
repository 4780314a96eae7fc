/** Updates sites in the transactions that trash or transfer the spaces on them. */
import { Effect } from "effect"
import { type Subscription, subscribeToEvent } from "../../kernel/events/TransactionEvents.ts"
import { Records } from "../../kernel/storage/index.ts"
import { SpacesTransferred, SpacesTrashed } from "../../model/spaces/SpaceEvents.ts"
import { removeFromSites } from "./structureStore.ts"

/** Removes spaces from every site when they move to the trash or to another organization. */
export const siteSubscriptions: Effect.Effect<ReadonlyArray<Subscription>, never, Records> = Effect.map(
  Records,
  (records) => [
    subscribeToEvent(SpacesTrashed, ({ spaces }) => removeFromSites(records, spaces)),
    subscribeToEvent(SpacesTransferred, ({ spaces }) => removeFromSites(records, spaces))
  ]
)
