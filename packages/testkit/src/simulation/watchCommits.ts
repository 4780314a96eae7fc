/** Checks that hold after every commit: events have deliveries, numbers grow, and ended deliveries do not change. */
import { type Table, tables, Where } from "@lectern/core"
import { filterRows, type State } from "../storage/MemoryState.ts"
import type { StateChange } from "./storagePort.ts"

type Row = Readonly<Record<string, unknown>>

/** Returns the table of the workspace with this name. */
export const tableNamed = (name: string): Table.AnyTable => {
  const table = tables.find((one) => one.name === name)
  if (table === undefined) throw new Error(`The workspace has no table ${name}.`)
  return table
}

const events = tableNamed("events")
const outbox = tableNamed("outboxEvents")
const webhooks = tableNamed("webhooks")
const webhookDeliveries = tableNamed("webhookDeliveries")

/** Returns all rows of a table. */
export const rowsIn = (state: State, table: Table.AnyTable): ReadonlyArray<Row> =>
  filterRows(state, table, Where.all)

/** Whether a table has changed. Unchanged tables of two states are identical. */
const hasChanged = ({ before, after }: StateChange, table: string): boolean =>
  before.get(table) !== after.get(table)

const isEnded = ({ state }: Row): boolean => state === "delivered" || state === "failed"

/** Returns how a commit has changed an ended delivery. */
const findRevived = (commit: StateChange): string | undefined => {
  const earlier = new Map(rowsIn(commit.before, webhookDeliveries).map((row) => [row.id, row]))
  for (const row of rowsIn(commit.after, webhookDeliveries)) {
    const former = earlier.get(row.id)
    if (former !== undefined && former !== row && isEnded(former))
      return `The delivery ${String(row.id)} was ${String(former.state)}, and is ${String(row.state)} again.`
  }
  return undefined
}

/** Checks the commits of a store, in their order. */
export type CommitWatcher = (commit: StateChange) => string | undefined

/**
 * Creates the check of all commits, which returns the rule that a commit violates, or undefined. A webhook receives an event if it
 * existed before the event, and has not changed until the event was numbered.
 */
export const makeCommitWatcher = (): CommitWatcher => {
  /** The version in which an event was written to the outbox, by its position. */
  const writtenAt = new Map<unknown, number>()
  /** The row of each webhook, and the version since which it is the same. */
  const unchanged = new Map<unknown, { readonly row: Row; readonly since: number }>()

  const noteWebhooks = ({ after, version }: StateChange): void => {
    for (const row of rowsIn(after, webhooks)) {
      if (unchanged.get(row.id)?.row !== row) unchanged.set(row.id, { row, since: version })
    }
  }

  const noteOutbox = ({ after, version }: StateChange): void => {
    for (const { position } of rowsIn(after, outbox)) {
      if (!writtenAt.has(position)) writtenAt.set(position, version)
    }
  }

  /** Returns the versions in which the events were written that a commit has numbered, in their order. */
  const versionsOf = ({ before, after }: StateChange): ReadonlyArray<number> => {
    const remaining = new Set(rowsIn(after, outbox).map(({ position }) => position))
    const numbered = rowsIn(before, outbox)
      .filter(({ position }) => !remaining.has(position))
      .toSorted((a, b) => Number(a.position) - Number(b.position))
    const versions = numbered.map(({ position }) => writtenAt.get(position) ?? 0)
    // A position can be used again after its row was removed.
    for (const { position } of numbered) writtenAt.delete(position)
    return versions
  }

  /** Returns which numbered event has no delivery, or a number that is not greater than those before. */
  const findUndelivered = (commit: StateChange): string | undefined => {
    const former = rowsIn(commit.before, events)
    const known = new Set(former.map(({ sequence }) => sequence))
    const last = former.reduce((greatest, { sequence }) => Math.max(greatest, Number(sequence)), 0)
    const added = rowsIn(commit.after, events)
      .filter(({ sequence }) => !known.has(sequence))
      .toSorted((a, b) => Number(a.sequence) - Number(b.sequence))
    const versions = versionsOf(commit)
    const delivered = new Set(
      rowsIn(commit.after, webhookDeliveries).map(
        ({ webhook, event }) => `${String(webhook)} ${String((event as { readonly id?: string }).id)}`
      )
    )
    for (const [index, event] of added.entries()) {
      if (Number(event.sequence) <= last)
        return `An event got the number ${String(event.sequence)} after ${last} was committed.`
      const missing = rowsIn(commit.after, webhooks).find((webhook) => {
        const types = webhook.types as ReadonlyArray<unknown>
        return (
          webhook.active === true &&
          webhook.integration === null &&
          webhook.organization === event.organization &&
          (types.length === 0 || types.includes(event.type)) &&
          unchanged.get(webhook.id)!.since <= (versions[index] ?? 0) &&
          !delivered.has(`${String(webhook.id)} ${String(event.id)}`)
        )
      })
      if (missing !== undefined)
        return `The event ${String(event.sequence)} (${String(event.type)}) has no delivery to the webhook ${String(missing.id)}.`
    }
    return undefined
  }

  return (commit) => {
    if (hasChanged(commit, webhooks.name)) noteWebhooks(commit)
    const violation =
      (hasChanged(commit, webhookDeliveries.name) ? findRevived(commit) : undefined) ??
      (hasChanged(commit, events.name) ? findUndelivered(commit) : undefined)
    if (hasChanged(commit, outbox.name)) noteOutbox(commit)
    return violation
  }
}
