/** The table of background jobs. */
import { Table } from "../storage/index.ts"

const jobColumns = {
  id: Table.text(),
  kind: Table.text(),
  payload: Table.json<unknown>(),
  /** `dead` is the dead-letter state: the job has failed too often, and waits for an operator. */
  state: Table.text<"waiting" | "dead">(),
  runAt: Table.text(),
  attempts: Table.integer(),
  error: Table.nullable(Table.text()),
  createdAt: Table.text()
}
/** A row of the table `jobs`. */
export interface JobRow extends Table.RowOf<typeof jobColumns> {}

/**
 * Background jobs. A worker may claim a job from `runAt` on. Claiming it moves `runAt` into the future by the length of
 * the lease, and heartbeats extend the lease: if the worker's process crashes, the job becomes due
 * again when the lease expires.
 * `attempts` counts the claims and fences them: a worker whose lease has expired cannot complete a later attempt.
 */
export const jobs: Table.Table<"jobs", JobRow, "id"> = Table.make("jobs", {
  columns: jobColumns,
  locking: Table.withoutLocks,
  key: ["id"],
  indexes: [["state", "runAt"]]
})
