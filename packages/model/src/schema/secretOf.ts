/** Secrets in inputs. */
import * as Schema from "effect/Schema"

/**
 * A secret in an input: a `Redacted` value, or a plain string from hosts that do not use Effect. It is decoded to a
 * `Redacted` value, so that logs and errors do not contain it.
 */
export const secretOf = (value: typeof Schema.String) =>
  Schema.Union([Schema.Redacted(value), Schema.RedactedFromValue(value)])
