/** The idempotency keys of completed commands. */
import { Table } from "../../storage/index.ts"

const idempotencyKeyColumns = {
  /** The digest of the caller, the operation and the key. */
  id: Table.text(),
  /** The digest of the request: its URL and its body. */
  fingerprint: Table.text(),
  /** The encrypted result of the command. Null if the result contains a secret, which is not stored. */
  result: Table.nullable(Table.text()),
  expiresAt: Table.text()
}
/** A row of the table `idempotencyKeys`. */
export interface IdempotencyKeyRow extends Table.RowOf<typeof idempotencyKeyColumns> {}

/** Idempotency keys, written in the transactions of their commands. Keys and callers are stored as digests only. */
export const idempotencyKeys: Table.Table<"idempotencyKeys", IdempotencyKeyRow, "id"> = Table.make(
  "idempotencyKeys",
  { columns: idempotencyKeyColumns, locking: Table.withoutLocks, key: ["id"], indexes: [["expiresAt"]] }
)
