/** The names of the items that a batch adds. */
import * as Schema from "effect/Schema"

/** A name within the batch: links of the batch to `./{ref}.md` or `./{ref}` resolve to the resource with this name. */
export const batchRef = Schema.optionalKey(
  Schema.String.check(
    Schema.isPattern(/^[\w.-]{1,100}$/u, {
      message: "must be at most 100 letters, digits and characters of _.-"
    })
  )
)
