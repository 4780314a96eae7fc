/** Compares the rows of a simulation with the rows of the serial execution. */
import { tables } from "@lectern/core"
import type { State } from "../storage/MemoryState.ts"
import { toText } from "./calls.ts"
import { rowsIn, tableNamed } from "./watchCommits.ts"

/** The tables that background work writes, which the serial execution does not run, and tables that are derived from others. */
const excludedTables = new Set([
  "jobs",
  "events",
  "outboxEvents",
  "webhookDeliveries",
  "auditRecords",
  "gitSyncs",
  "importRuns",
  "notifications",
  "outlines",
  "searchVocabulary",
  "secrets"
])

/** The tables with rows that a rolled back or lost call can leave, until they are garbage-collected. Only their keys are compared. */
const garbageTables = new Set(["blobs"])

/**
 * Returns the first difference of the rows of the simulation and of the serial execution: of the content that its calls have stored, and of
 * all other rows after its background work, which stores content of its own.
 */
export const findDifferentRow = (
  simulated: State,
  { afterCalls, afterWork }: { readonly afterCalls: State; readonly afterWork: State }
): string | undefined => {
  for (const table of tables) {
    if (excludedTables.has(table.name)) continue
    const isGarbage = garbageTables.has(table.name)
    const serial = isGarbage ? afterCalls : afterWork
    const textsIn = (state: State) =>
      new Set(
        rowsIn(state, table).map((row) => toText(isGarbage ? table.key.map((column) => row[column]) : row))
      )
    const [one, other] = [textsIn(simulated), textsIn(serial)]
    const added = isGarbage ? undefined : [...one].find((row) => !other.has(row))
    const missing = [...other].find((row) => !one.has(row))
    if (added === undefined && missing === undefined) continue
    return `The table ${table.name} has ${added ?? "no further row"}\n  instead of\n${missing ?? "no row"}`
  }
  return undefined
}

const events = tableNamed("events")

/** The resources that background work changes, as the types of their events name them. */
const backgroundResources = new Set(["importRun", "gitSync"])

const resourceOf = (type: unknown): string => String(type).split(".")[0]!

/** Returns the events of each resource, in the order of their numbers. Resources without an id are one. */
const eventsByResource = (state: State): ReadonlyMap<string, ReadonlyArray<string>> => {
  const rows = rowsIn(state, events).filter(({ type }) => !backgroundResources.has(resourceOf(type)))
  const ordered = rows.toSorted((a, b) => Number(a.sequence) - Number(b.sequence))
  const groups = Map.groupBy(ordered, ({ type, data }) => {
    const { id } = data as { readonly id?: unknown }
    return `${resourceOf(type)} ${typeof id === "string" ? id : ""}`
  })
  return new Map(
    [...groups].map(([resource, rows]) => {
      const texts = rows.map(({ type, operation, actor, data }) => toText([type, operation, actor, data]))
      return [resource, resource.endsWith(" ") ? texts.toSorted() : texts]
    })
  )
}

/** Returns the first resource whose events differ from the events of its commits, in their order. */
export const findDifferentEvents = (simulated: State, serial: State): string | undefined => {
  const [one, other] = [eventsByResource(simulated), eventsByResource(serial)]
  for (const resource of new Set([...one.keys(), ...other.keys()])) {
    const [recorded = [], expected = []] = [one.get(resource), other.get(resource)]
    const at = expected.findIndex((text, index) => recorded[index] !== text)
    if (at === -1 && recorded.length === expected.length) continue
    const index = at === -1 ? expected.length : at
    return `The event ${index + 1} of ${resource} is ${recorded[index] ?? "missing"}\n  instead of\n${expected[index] ?? "no event"}`
  }
  return undefined
}
