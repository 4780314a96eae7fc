/** Checks that hold after every commit: events have deliveries, numbers grow, and ended deliveries do not change. */
import { type Table, tables, Where } from "@lectern/core"
import { filterRows, type State } from "../storage/MemoryState.ts"
import type { StorageCommit } from "./storagePort.ts"

type Row = Readonly<Record<string, unknown>>

/** Returns the table of the workspace with this name. */
export const tableNamed = (name: string): Table.AnyTable => {
  const table = tables.find((one) => one.name === name)
  if (table === undefined) throw new Error(`The workspace has no table ${name}.`)
  return table
}

const events = tableNamed("events")
const webhooks = tableNamed("webhooks")
const webhookDeliveries = tableNamed("webhookDeliveries")

/** Returns all rows of a table. */
export const rowsIn = (state: State, table: Table.AnyTable): ReadonlyArray<Row> =>
  filterRows(state, table, Where.all)

/** Whether a table has changed. Unchanged tables of two states are identical. */
const hasChanged = ({ before, after }: StorageCommit, table: string): boolean =>
  before.get(table) !== after.get(table)

const isEnded = ({ state }: Row): boolean => state === "delivered" || state === "failed"

/** Returns how a commit has changed an ended delivery. */
const findRevived = (commit: StorageCommit): string | undefined => {
  const earlier = new Map(rowsIn(commit.before, webhookDeliveries).map((row) => [row.id, row]))
  for (const row of rowsIn(commit.after, webhookDeliveries)) {
    const former = earlier.get(row.id)
    if (former !== undefined && former !== row && isEnded(former))
      return `The delivery ${String(row.id)} was ${String(former.state)}, and is ${String(row.state)} again.`
  }
  return undefined
}

/** Returns which new event has no delivery, or a number that is not greater than those before. */
const findUndelivered = (commit: StorageCommit): string | undefined => {
  const former = rowsIn(commit.before, events)
  const known = new Set(former.map(({ sequence }) => sequence))
  const last = former.reduce((greatest, { sequence }) => Math.max(greatest, sequence as number), 0)
  const added = rowsIn(commit.after, events).filter(({ sequence }) => !known.has(sequence))
  if (added.length === 0) return undefined
  const receivers = rowsIn(commit.after, webhooks).filter(
    ({ integration, active }) => integration === null && active === true
  )
  const delivered = new Set(
    rowsIn(commit.after, webhookDeliveries).map(
      ({ webhook, event }) => `${String(webhook)} ${String((event as { readonly id?: string }).id)}`
    )
  )
  for (const event of added) {
    if ((event.sequence as number) <= last)
      return `An event got the number ${String(event.sequence)} after ${last} was committed.`
    for (const { id, organization, types } of receivers) {
      const accepted = types as ReadonlyArray<unknown>
      if (organization !== event.organization) continue
      if (accepted.length > 0 && !accepted.includes(event.type)) continue
      if (!delivered.has(`${String(id)} ${String(event.id)}`))
        return `The event ${String(event.sequence)} (${String(event.type)}) has no delivery to the webhook ${String(id)}.`
    }
  }
  return undefined
}

/** Returns the rule that a commit violates, or undefined. */
export const findViolationIn = (commit: StorageCommit): string | undefined =>
  (hasChanged(commit, webhookDeliveries.name) ? findRevived(commit) : undefined) ??
  (hasChanged(commit, events.name) ? findUndelivered(commit) : undefined)
