/** Records of every table, for tests that look at what is stored or change it behind the back of the product. */
import { SystemGrant } from "@lectern/core"
import { Effect } from "effect"

/** Records that reach every row. */
export const allRecords = Effect.map(
  SystemGrant.make("Looks at what is stored, and corrupts it, in tests."),
  ({ records }) => records
)
