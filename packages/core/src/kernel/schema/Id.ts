/** The schema of identifiers that come from outside. */
import { Schema } from "effect"

/**
 * The schema of an id in a path, a query or a body; brand it. Any text of 1 to 100 visible ASCII characters may name
 * something, and what names nothing is answered as not found; anything else is malformed.
 */
export const idSchema = (description: string) =>
  Schema.String.check(
    Schema.isPattern(/^[\x21-\x7e]{1,100}$/u, { message: "must be an id: 1 to 100 visible ASCII characters" })
  ).annotate({ description })
