/** Counts what happens to transactions that run concurrently. */
import { Effect, Metric } from "effect"

/** Attempts that conflicted with another transaction. */
export const transactionConflicts: Metric.Counter<number> = Metric.counter(
  "lectern_transaction_conflicts_total",
  { description: "Attempts of transactions that conflicted with another transaction", incremental: true }
)

/** Attempts after a conflict. */
export const transactionRetries: Metric.Counter<number> = Metric.counter(
  "lectern_transaction_retries_total",
  { description: "Attempts of transactions after a conflict", incremental: true }
)

/** Locked transactions that ran again as serializable ones. */
export const transactionEscalations: Metric.Counter<number> = Metric.counter(
  "lectern_transaction_escalations_total",
  {
    description: "Transactions whose locks did not cover a query, and that ran again as serializable ones",
    incremental: true
  }
)

/** Registers the counts of transactions, so that they are also collected while they are 0. */
export const registerTransactionMetrics: Effect.Effect<void> = Effect.forEach(
  [transactionConflicts, transactionRetries, transactionEscalations],
  (counter) => Metric.update(counter, 0),
  { discard: true }
)
