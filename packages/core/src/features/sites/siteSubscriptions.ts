/** Event handlers that update sites, in the transactions that delete or transfer the spaces on them. */
import { Effect } from "effect"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import { type Subscription, subscribeToEvent } from "../../kernel/events/TransactionEvents.ts"
import type { Records } from "../../kernel/storage/index.ts"
import { SpacesTransferred, SpacesTrashed } from "../../tables/spaces/SpaceEvents.ts"
import { removeFromSites } from "./structureStore.ts"

/** Removes spaces from every site when they move to the trash or to another organization. */
export const siteSubscriptions: Effect.Effect<ReadonlyArray<Subscription>, never, Records> = Effect.map(
  SystemGrant.make(
    "Removes spaces that are trashed or transferred from their sites, which the caller may not edit."
  ),
  ({ records }) => [
    subscribeToEvent(SpacesTrashed, ({ spaces }) => removeFromSites(records, spaces)),
    subscribeToEvent(SpacesTransferred, ({ spaces }) => removeFromSites(records, spaces))
  ]
)
