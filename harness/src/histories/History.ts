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

/** Formats an anomaly with the operations of its transactions, for the message of a failure. */
export const formatAnomaly = ({ kind, description, transactions }: Anomaly): string =>
  [
    `${kind}: ${description}`,
    ...transactions.map(
      ({ name, operations, outcome }) =>
        `  ${name} (${outcome}): ${operations
          .map((operation) =>
            operation.do === "append"
              ? `append ${operation.value} to ${operation.list}`
              : `read ${operation.list} = [${operation.values.join(", ")}]`
          )
          .join("; ")}`
    )
  ].join("\n")
