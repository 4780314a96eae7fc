/** The schema of identifiers in requests. */
import * as Schema from "effect/Schema"

/**
 * Creates the schema of an id in a path, a query or a body, to be branded: 1 to 100 visible ASCII characters. Operations
 * fail with `InvalidInput` for anything else, and with `NotFound` for a well-formed id that names nothing.
 */
export const idSchema = (description: string) =>
  Schema.String.check(
    Schema.isPattern(/^[\x21-\x7e]{1,100}$/u, { message: "must be an id: 1 to 100 visible ASCII characters" })
  ).annotate({ description })
