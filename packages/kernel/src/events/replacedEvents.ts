/** Finds the events that new events replace, such as the events of automatic saves that a later one has replaced. */
import { Effect } from "effect"
import { type EventRow, events } from "../storage/eventTables.ts"
import { type Records, type StorageUnavailable, Where } from "../storage/index.ts"
import type { AnyResourceEvents } from "../storage/ResourceEvents.ts"

/** How much older than the event that replaces it an event can be, in milliseconds. Older ones remain in the log. */
const longestMillis = 30 * 60 * 1_000

/** The maximum number of events of one type and organization that are searched. */
const maximumSearched = 1_000

/** The key of the row that an event is about, in the data of the event. */
const keyOf = ({ table }: AnyResourceEvents, { data }: EventRow): unknown => data[table.key[0]!]

/**
 * Returns the function that finds the new events that remain, and the numbers of the stored events that they replace. It runs in
 * the transaction that numbers events. The oldest event of the log remains, because readers derive from it which events were removed.
 */
export const makeFindReplaced = (
  records: Records["Service"],
  resources: ReadonlyArray<AnyResourceEvents>
) => {
  const sources = new Map<string, { readonly source: AnyResourceEvents; readonly column: string }>(
    resources.flatMap((source) =>
      source.replacesColumn === undefined
        ? []
        : [[`${source.resource}.created`, { source, column: source.replacesColumn }] as const]
    )
  )

  /** Returns the events of one organization and type that can be among the replaced ones. */
  const findRecent = ({ organization, type, createdAt }: EventRow) =>
    records.find(events, {
      select: ["sequence", "data"],
      where: Where.and<EventRow>(
        organization === null ? Where.isNull("organization") : Where.eq("organization", organization),
        Where.eq("type", type),
        Where.gte("createdAt", new Date(Date.parse(createdAt) - longestMillis).toISOString())
      ),
      direction: "desc",
      limit: maximumSearched
    })

  return Effect.fnUntraced(function* (
    numbered: ReadonlyArray<EventRow>
  ): Effect.fn.Return<readonly [ReadonlyArray<number>, ReadonlyArray<EventRow>], StorageUnavailable> {
    const replacing = numbered.filter((event) => {
      const found = sources.get(event.type)
      return found !== undefined && typeof event.data[found.column] === "string"
    })
    if (replacing.length === 0) return [[], numbered]
    const replaced = new Set(
      replacing.map((event) => `${event.type} ${String(event.data[sources.get(event.type)!.column])}`)
    )
    const isReplaced = (type: string, event: EventRow) => {
      const found = sources.get(type)
      return found !== undefined && replaced.has(`${type} ${String(keyOf(found.source, event))}`)
    }
    const oldest = yield* records.first(events, { select: ["sequence"] })
    const stored: Array<number> = []
    for (const [, group] of Map.groupBy(replacing, ({ organization, type }) => `${organization} ${type}`)) {
      const [first] = group
      const recent = yield* findRecent(first!)
      for (const event of recent) {
        if (isReplaced(first!.type, event as EventRow) && event.sequence !== oldest?.sequence)
          stored.push(event.sequence)
      }
    }
    return [stored, numbered.filter((event) => !isReplaced(event.type, event))]
  })
}
