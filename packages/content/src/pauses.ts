/** Pauses in long operations on maps, in which other requests run. */
import { Effect } from "effect"

/** The numbers of entries that a write reads, and of nodes that it creates and stores, between two yields to the event loop. */
export const perTurn = { entries: 500, nodes: 50, stored: 200 }

/** Pauses at every `count`th index, so that other requests run during a write of very many entries. */
export const pauseAt = (index: number, count: number): Effect.Effect<void> =>
  index % count === count - 1 ? Effect.yieldNow : Effect.void
