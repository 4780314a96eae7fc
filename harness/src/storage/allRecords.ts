/** Records of every table, for tests that read or corrupt stored rows without an operation. */
import { SystemGrant } from "@lectern/core"
import { Effect } from "effect"

/** Records that reach every row. */
export const allRecords = Effect.map(
  SystemGrant.make("Reads and corrupts stored rows in tests."),
  ({ records }) => records
)
