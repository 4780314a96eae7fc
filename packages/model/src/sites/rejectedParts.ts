/** Fields of parts of sites that other versions of the contract have to hide a part. */
import { rejecting } from "../schema/rejectedFields.ts"

const message =
  "has no effect, so that visitors would see the part: hide it by a `condition`, or add it when it is ready"

/** Rejects a request to hide a part. */
export const rejectingDrafts = rejecting({
  draft: { message, accepted: [false] },
  hidden: { message, accepted: [false] }
})

/** Rejects conditions, which MCP servers do not have. */
export const rejectingConditions = rejecting({
  condition: {
    message: "has no effect: MCP servers are not limited to some visitors",
    accepted: [null]
  }
})
