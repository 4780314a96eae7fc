/** The types of events that the workspace records. */

import { eventTypesOf, RecordedResources } from "@lectern/kernel"
import { Effect } from "effect"

/** Returns a function that finds the first unknown type of a list, and describes it; undefined if all are known. */
export const unknownTypes: Effect.Effect<(types: ReadonlyArray<string>) => string | undefined> = Effect.map(
  RecordedResources,
  (resources) => {
    const known = new Set(resources.flatMap(eventTypesOf))
    return (types) => {
      const unknown = types.find((type) => !known.has(type))
      return unknown === undefined
        ? undefined
        : `has the unknown type ${JSON.stringify(unknown)}; see the reference of events for all types`
    }
  }
)
