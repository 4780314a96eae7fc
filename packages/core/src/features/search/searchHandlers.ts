/** Keeps the search index in step with content, in the transactions that change it. */
import { Effect, Layer } from "effect"
import { TransactionEvents } from "../../kernel/events/TransactionEvents.ts"
import { SpaceDuplicated } from "../../model/spaces/SpaceEvents.ts"
import { RevisionCommitted } from "../content/ContentEvents.ts"
import { SearchIndex } from "./SearchIndex.ts"

/** Updates the index for each new revision, and schedules a rebuild for each copy of a space. */
export const searchHandlers: Layer.Layer<never, never, TransactionEvents | SearchIndex> = Layer.effectDiscard(
  Effect.gen(function* () {
    const events = yield* TransactionEvents
    const search = yield* SearchIndex
    yield* events.register(RevisionCommitted, ({ space, before, after, outlines }) =>
      search.updateForRevision(space, before, after, outlines)
    )
    yield* events.register(SpaceDuplicated, ({ copy }) => search.scheduleReindex(copy))
  })
)
