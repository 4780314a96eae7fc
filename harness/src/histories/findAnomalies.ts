/** Finds violations of serializability in a history, by the cycles of its dependencies and by its reads. */
import { dependenciesOf, findCycle } from "./dependencies.ts"
import type { Anomaly, ListOperation, RecordedTransaction } from "./History.ts"

type Read = Extract<ListOperation, { readonly do: "read" }>

const isPrefix = (short: ReadonlyArray<number>, long: ReadonlyArray<number>): boolean =>
  short.every((value, index) => value === long[index])

const valuesReadBy = ({ operations }: RecordedTransaction): ReadonlyArray<number> =>
  operations.flatMap((operation) => (operation.do === "read" ? operation.values : []))

/**
 * Returns the committed transactions, and the transactions of unknown outcome whose values were read: all that took effect. One of
 * unknown outcome that took effect shows with its own reads that others did.
 */
const effectiveTransactions = (history: ReadonlyArray<RecordedTransaction>) => {
  const effective = new Set(history.filter(({ outcome }) => outcome === "committed"))
  const seen = new Set<number>()
  for (const transaction of effective) {
    for (const value of valuesReadBy(transaction)) seen.add(value)
    for (const other of history) {
      const { outcome, operations } = other
      if (outcome !== "unknown" || effective.has(other)) continue
      // The loop also visits the elements that it adds.
      if (operations.some((operation) => operation.do === "append" && seen.has(operation.value)))
        effective.add(other)
    }
  }
  return [...effective]
}

/** Compares the reads of a transaction with its own earlier reads and appends. */
const findInternalInconsistency = (transaction: RecordedTransaction): Anomaly | undefined => {
  const known = new Map<string, ReadonlyArray<number>>()
  const appended = new Map<string, ReadonlyArray<number>>()
  for (const operation of transaction.operations) {
    const { list } = operation
    if (operation.do === "append") {
      appended.set(list, [...(appended.get(list) ?? []), operation.value])
      const before = known.get(list)
      if (before !== undefined) known.set(list, [...before, operation.value])
      continue
    }
    const { values } = operation
    const own = appended.get(list) ?? []
    const expected = known.get(list)
    const isExpected =
      expected === undefined
        ? own.length === 0 || isPrefix(own, values.slice(-own.length))
        : expected.length === values.length && isPrefix(expected, values)
    if (!isExpected) {
      return {
        kind: "internal inconsistency",
        description: `A read of ${list} contradicts earlier operations of the same transaction.`,
        transactions: [transaction]
      }
    }
    known.set(list, values)
  }
  return undefined
}

/** Returns the longest read of each list, and the reads that are not a prefix of it. */
const versionOrders = (transactions: ReadonlyArray<RecordedTransaction>) => {
  const reads = transactions.flatMap((transaction) =>
    transaction.operations.flatMap((operation) =>
      operation.do === "read" ? [{ transaction, read: operation }] : []
    )
  )
  const longest = new Map<string, { readonly transaction: RecordedTransaction; readonly read: Read }>()
  for (const one of reads) {
    const other = longest.get(one.read.list)
    if (other === undefined || other.read.values.length < one.read.values.length)
      longest.set(one.read.list, one)
  }
  const anomalies = reads.flatMap(({ transaction, read }): ReadonlyArray<Anomaly> => {
    const other = longest.get(read.list)!
    if (isPrefix(read.values, other.read.values)) return []
    return [
      {
        kind: "incompatible order",
        description: `Two reads of ${read.list} have no common order of its appends.`,
        transactions: [transaction, other.transaction]
      }
    ]
  })
  return { orders: new Map([...longest].map(([list, { read }]) => [list, read.values])), anomalies }
}

/**
 * Finds the anomalies of a history. `final` are the values of each list after all transactions: an append of a committed
 * transaction that they lack was lost. An empty result means that some serial order explains what the transactions read.
 */
export const findAnomalies = (
  history: ReadonlyArray<RecordedTransaction>,
  final: ReadonlyMap<string, ReadonlyArray<number>> = new Map()
): ReadonlyArray<Anomaly> => {
  const last: RecordedTransaction = {
    name: "the final read",
    operations: [...final].map(([list, values]) => ({ do: "read", list, values })),
    outcome: "committed"
  }
  const effective = effectiveTransactions(final.size === 0 ? history : [...history, last])
  const writers = new Map(
    history.flatMap((transaction) =>
      transaction.operations.flatMap((operation) =>
        operation.do === "append" ? [[operation.value, transaction] as const] : []
      )
    )
  )
  const anomalies = effective.flatMap((transaction) => findInternalInconsistency(transaction) ?? [])
  for (const transaction of effective) {
    for (const operation of transaction.operations) {
      if (operation.do !== "read") continue
      anomalies.push(...anomaliesOfRead(transaction, operation, writers))
    }
  }
  anomalies.push(...lostAppends(history, final))
  const { orders, anomalies: incompatible } = versionOrders(effective)
  anomalies.push(...incompatible)
  // Without an order of the appends, the dependencies are unknown.
  if (anomalies.length > 0) return anomalies
  const cycle = findCycle(dependenciesOf(effective, orders, writers))
  return cycle === undefined ? [] : [cycle]
}

/** Finds values that a read must not contain: twice, of an aborted transaction, or of an unfinished state of another one. */
const anomaliesOfRead = (
  transaction: RecordedTransaction,
  { list, values }: Read,
  writers: ReadonlyMap<number, RecordedTransaction>
): ReadonlyArray<Anomaly> => {
  const anomalies: Array<Anomaly> = []
  if (new Set(values).size < values.length) {
    anomalies.push({
      kind: "duplicate append",
      description: `A value is in ${list} twice.`,
      transactions: [transaction]
    })
  }
  for (const value of values) {
    const writer = writers.get(value)
    if (writer?.outcome !== "aborted") continue
    anomalies.push({
      kind: "aborted read",
      description: `${list} contains ${value}, whose transaction was aborted.`,
      transactions: [transaction, writer]
    })
  }
  const writer = values.length === 0 ? undefined : writers.get(values.at(-1)!)
  const lastOwn = writer?.operations.findLast(
    (operation) => operation.do === "append" && operation.list === list
  )
  if (
    writer !== undefined &&
    writer.name !== transaction.name &&
    lastOwn?.do === "append" &&
    lastOwn.value !== values.at(-1)
  ) {
    anomalies.push({
      kind: "intermediate read",
      description: `A read of ${list} ends within the appends of another transaction.`,
      transactions: [transaction, writer]
    })
  }
  return anomalies
}

/** Finds appends of committed transactions that the final lists lack. */
const lostAppends = (
  history: ReadonlyArray<RecordedTransaction>,
  final: ReadonlyMap<string, ReadonlyArray<number>>
): ReadonlyArray<Anomaly> =>
  history.flatMap((transaction) =>
    transaction.operations.flatMap((operation): ReadonlyArray<Anomaly> => {
      if (operation.do !== "append" || transaction.outcome !== "committed") return []
      const values = final.get(operation.list)
      if (values === undefined || values.includes(operation.value)) return []
      return [
        {
          kind: "lost append",
          description: `${operation.list} lacks ${operation.value} in the end.`,
          transactions: [transaction]
        }
      ]
    })
  )
