/** Jobs: work that is done in the background, after what asked for it is stored. */
import { Table } from "../storage/index.ts"

const jobColumns = {
  id: Table.text(),
  kind: Table.text(),
  payload: Table.json<unknown>(),
  /** `dead` for a job that has failed too often; it stays until somebody looks at it. */
  state: Table.text<"waiting" | "dead">(),
  runAt: Table.text(),
  attempts: Table.integer(),
  error: Table.nullable(Table.text()),
  createdAt: Table.text()
}
export interface JobRow extends Table.RowOf<typeof jobColumns> {}

/**
 * Where jobs are kept. `runAt` is when a job may be taken; who takes it moves that into the future, by as long as the
 * work may take: so it comes back by itself where a process dies, and nothing else says who has it. `attempts` counts
 * how often it was taken: what was done for an earlier attempt cannot end a later one.
 */
export const jobs: Table.Table<"jobs", JobRow, "id"> = Table.make("jobs", {
  columns: jobColumns,
  key: ["id"],
  indexes: [["state", "runAt"]]
})
