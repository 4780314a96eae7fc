/** Event handlers that update sites, in the transactions that delete or transfer the spaces on them. */

import { SystemGrant } from "@lectern/access"
import { type Records, type Subscription, subscribeToEvent } from "@lectern/kernel"
import { SpacesTransferred, SpacesTrashed } from "@lectern/kernel/tables"
import { Effect } from "effect"
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
