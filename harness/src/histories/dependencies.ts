/** The graph of dependencies between transactions, and its cycles. */
import type { Anomaly, RecordedTransaction } from "./History.ts"

/** Why a transaction comes before another in every serial order. */
export type DependencyKind =
  /** The other appends after it. */
  | "appends before"
  /** The other reads its value. */
  | "is read by"
  /** It reads the list before the other appends to it. */
  | "reads before"

/** The dependencies of transactions: for each one, the transactions that come after it. */
export type Dependencies = ReadonlyMap<RecordedTransaction, ReadonlyMap<RecordedTransaction, DependencyKind>>

/**
 * Derives the dependencies of transactions. `orders` are the values of each list in the order of their appends, and `writers` the
 * transactions that appended them.
 */
export const dependenciesOf = (
  transactions: ReadonlyArray<RecordedTransaction>,
  orders: ReadonlyMap<string, ReadonlyArray<number>>,
  writers: ReadonlyMap<number, RecordedTransaction>
): Dependencies => {
  const edges = new Map(transactions.map((one) => [one, new Map<RecordedTransaction, DependencyKind>()]))
  const add = (
    from: RecordedTransaction | undefined,
    to: RecordedTransaction | undefined,
    kind: DependencyKind
  ): void => {
    if (from === undefined || to === undefined || from === to) return
    const targets = edges.get(from)
    if (targets !== undefined && !targets.has(to)) targets.set(to, kind)
  }
  for (const order of orders.values()) {
    for (const [index, value] of order.entries()) {
      add(writers.get(value), writers.get(order[index + 1] ?? Number.NaN), "appends before")
    }
  }
  for (const transaction of transactions) {
    for (const operation of transaction.operations) {
      if (operation.do !== "read") continue
      const order = orders.get(operation.list) ?? []
      add(writers.get(operation.values.at(-1) ?? Number.NaN), transaction, "is read by")
      add(transaction, writers.get(order[operation.values.length] ?? Number.NaN), "reads before")
    }
  }
  return edges
}

/** Returns the shortest path from a transaction back to itself, without the transaction at its end. */
const shortestCycle = (
  edges: Dependencies,
  start: RecordedTransaction
): ReadonlyArray<RecordedTransaction> | undefined => {
  const from = new Map<RecordedTransaction, RecordedTransaction | undefined>([[start, undefined]])
  for (const current of from.keys()) {
    for (const next of edges.get(current)?.keys() ?? []) {
      if (next !== start) {
        if (!from.has(next)) from.set(next, current)
        continue
      }
      const path: Array<RecordedTransaction> = []
      for (let one: RecordedTransaction | undefined = current; one !== undefined; one = from.get(one))
        path.unshift(one)
      return path
    }
  }
  return undefined
}

/** Finds the shortest cycle: no serial order explains what its transactions read. */
export const findCycle = (edges: Dependencies): Anomaly | undefined => {
  const cycles = [...edges.keys()].flatMap((start) => {
    const cycle = shortestCycle(edges, start)
    return cycle === undefined ? [] : [cycle]
  })
  const [shortest] = cycles.toSorted((one, other) => one.length - other.length)
  if (shortest === undefined) return undefined
  const steps = shortest.map((one, index) => {
    const next = shortest[(index + 1) % shortest.length]!
    return `${one.name} ${edges.get(one)!.get(next)!} ${next.name}`
  })
  return { kind: "cycle", description: steps.join(", "), transactions: shortest }
}
