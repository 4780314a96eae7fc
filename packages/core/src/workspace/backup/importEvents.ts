/** Records the rows of an imported organization as events: consumers derive their state from the events of a workspace. */

import {
  type EventCause,
  type RecordsAdapter,
  type RowChange,
  recordingAdapter,
  type WriteError,
  writeOutbox
} from "@lectern/kernel"
import type { OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"
import { workspaceEvents } from "../features.ts"

type Adapter = RecordsAdapter["Service"]

/** The name of the operation in the events of imported rows. */
const operation = "import"

/** Returns a store whose insertions write their events to the outbox, in the same transaction. */
export const withImportEvents = (target: Adapter, organization: OrganizationId): Adapter => {
  const cause: EventCause = { operation, actor: undefined, organization }
  return recordingAdapter(
    target,
    new Map(workspaceEvents.map((source) => [source.table.name, source])),
    <A>(write: (add: (change: Omit<RowChange, "cause">) => void) => Effect.Effect<A, WriteError>) =>
      Effect.suspend(() => {
        const changes: Array<RowChange> = []
        return Effect.tap(
          write((change) => changes.push({ ...change, cause })),
          () => writeOutbox(target, changes)
        )
      })
  )
}
