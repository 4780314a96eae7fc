/** The error of conversions. */
import { Schema } from "effect"

/**
 * The bytes cannot be parsed. The message is a predicate that continues "The address …": "points to a file that is …".
 */
export class NotReadable extends Schema.TaggedError<NotReadable>()("NotReadable", {
  message: Schema.String,
  /** Whether the conversion can succeed when it is repeated: its thread ended. Otherwise the failure depends on the bytes only. */
  isTransient: Schema.optionalKey(Schema.Boolean)
}) {}
