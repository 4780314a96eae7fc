/** The tables of events. */
import * as Table from "./Table.ts"

const eventColumns = {
  type: Table.text(),
  version: Table.integer(),
  /** Null for events of the whole workspace, such as changes of accounts. */
  organization: Table.nullable(Table.text()),
  operation: Table.nullable(Table.text()),
  actor: Table.nullable(Table.text()),
  createdAt: Table.text(),
  /** The data, as `encodeEventData` returns it. */
  data: Table.json<{ readonly [field: string]: unknown }>()
}

const outboxColumns = { position: Table.generated(), ...eventColumns }
/** A row of the table `outboxEvents`. */
export interface OutboxRow extends Table.RowOf<typeof outboxColumns> {}

/**
 * The outbox: events that were committed and have no number yet. Transactions insert rows without a lock, so that they
 * never wait for each other. Of two transactions that change the same resource, the later one inserts after the earlier
 * one has committed, so the generated position orders the events of a resource as they were committed.
 */
export const outboxEvents: Table.Table<"outboxEvents", OutboxRow, "position"> = Table.make("outboxEvents", {
  columns: outboxColumns,
  locking: Table.withoutLocks,
  key: ["position"]
})

const numberedColumns = { sequence: Table.integer(), id: Table.text(), ...eventColumns }
/** A row of the table `events`. */
export interface EventRow extends Table.RowOf<typeof numberedColumns> {}

/** The log of events. Numbers are assigned after the commit, by one transaction at a time, so no number is committed late. */
export const events: Table.Table<"events", EventRow, "sequence"> = Table.make("events", {
  columns: numberedColumns,
  locking: Table.withoutLocks,
  key: ["sequence"],
  unique: [["id"]],
  indexes: [["organization"], ["createdAt"]]
})
