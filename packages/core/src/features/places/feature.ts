import { Effect } from "effect"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import { subscribeToEvent } from "../../kernel/events/TransactionEvents.ts"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { Where } from "../../kernel/storage/index.ts"
import { type PlaceRow, places } from "../../tables/places/placeTable.ts"
import { SpacesTransferred } from "../../tables/spaces/SpaceEvents.ts"
import { Places } from "./Places.ts"

/** The favorites and recent pages of users. */
export const placesFeature = defineFeature("places", {
  uses: ["content", "spaces"],
  tables: [places],
  userServices: { places: Places },
  layer: Places.layer,
  subscriptions: Effect.map(
    SystemGrant.make("Removes the favorites of a space that moves to another organization."),
    ({ records }) => [
      // The key of the rows names the organization.
      subscribeToEvent(SpacesTransferred, ({ spaces }) =>
        records.remove(places, Where.isIn<PlaceRow, "space">("space", spaces))
      )
    ]
  )
})
