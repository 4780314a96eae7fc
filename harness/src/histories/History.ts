/**
 * Histories of transactions on lists, to which transactions append unique values. A read of a list then shows the order of all earlier
 * appends, so that the dependencies between transactions are derived from their reads.
 */

/** An operation of a transaction on a list. */
export type ListOperation =
  | { readonly do: "append"; readonly list: string; readonly value: number }
  | { readonly do: "read"; readonly list: string; readonly values: ReadonlyArray<number> }

/** A transaction, with the results of its last attempt. */
export interface RecordedTransaction {
  readonly name: string
  readonly operations: ReadonlyArray<ListOperation>
  /** `unknown` if the reply was lost: it was committed if its values were read. */
  readonly outcome: "committed" | "aborted" | "unknown"
}

/** A violation of serializability, with the transactions that show it. */
export interface Anomaly {
  readonly kind:
    | "aborted read"
    | "duplicate append"
    | "incompatible order"
    | "intermediate read"
    | "internal inconsistency"
    | "lost append"
    | "cycle"
  readonly description: string
  readonly transactions: ReadonlyArray<RecordedTransaction>
}

const formatOperation = (operation: ListOperation): string =>
  operation.do === "append"
    ? `append ${operation.value} to ${operation.list}`
    : `read ${operation.list} = [${operation.values.join(", ")}]`

const formatTransaction = ({ name, operations, outcome }: RecordedTransaction): string =>
  `  ${name} (${outcome}): ${operations.map(formatOperation).join("; ")}`

/** Formats an anomaly with the operations of its transactions, for the message of a failure. */
export const formatAnomaly = ({ kind, description, transactions }: Anomaly): string =>
  [`${kind}: ${description}`, ...transactions.map(formatTransaction)].join("\n")

/** Formats the anomalies of a history, then all of its transactions in the order of their ends, and the final lists. */
export const formatHistory = (
  history: ReadonlyArray<RecordedTransaction>,
  final: ReadonlyMap<string, ReadonlyArray<number>>,
  anomalies: ReadonlyArray<Anomaly>
): string =>
  [
    ...anomalies.map(formatAnomaly),
    "The history:",
    ...history.map(formatTransaction),
    ...[...final].map(([list, values]) => `  in the end: ${list} = [${values.join(", ")}]`)
  ].join("\n")
