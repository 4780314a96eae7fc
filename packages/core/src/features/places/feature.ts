import { SystemGrant } from "@lectern/access"
import { defineFeature, subscribeToEvent, Where } from "@lectern/kernel"
import { type PlaceRow, places, SpacesTransferred } from "@lectern/kernel/tables"
import { Effect } from "effect"
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
