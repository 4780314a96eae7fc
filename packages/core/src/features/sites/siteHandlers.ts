/** Updates sites in the transactions that trash or transfer the spaces on them. */
import { Effect, Layer } from "effect"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import { TransactionEvents } from "../../kernel/events/TransactionEvents.ts"
import type { Records } from "../../kernel/storage/index.ts"
import { SpacesTransferred, SpacesTrashed } from "../../model/spaces/SpaceEvents.ts"
import { removeFromSites } from "./structureStore.ts"

/** Removes spaces from every site when they move to the trash or to another organization. */
export const siteHandlers: Layer.Layer<never, never, TransactionEvents | Records> = Layer.effectDiscard(
  Effect.gen(function* () {
    const events = yield* TransactionEvents
    const { records } = yield* SystemGrant.make(
      "Removes spaces that are trashed or transferred from their sites, which the caller may not edit."
    )
    yield* events.register(SpacesTrashed, ({ spaces }) => removeFromSites(records, spaces))
    yield* events.register(SpacesTransferred, ({ spaces }) => removeFromSites(records, spaces))
  })
)
