/**
 * Everything that an operation can answer instead of its result. Each has a `message`: one sentence that a
 * person can act on, safe to show to the caller.
 */
import { Schema } from "effect"

/** One thing that is wrong with an input. */
export const InvalidField = Schema.Struct({
  /** Where: names and indexes joined by dots, as in `position.before`. Empty for the input as a whole. */
  path: Schema.String,
  /** What is wrong there. */
  message: Schema.String
}).annotate({ identifier: "InvalidField" })
export type InvalidField = typeof InvalidField.Type

/** The input is malformed or out of bounds. `details` has every field that is wrong, all at once. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  message: Schema.String,
  details: Schema.Array(InvalidField)
}) {
  /** An input with these wrong fields. The message names the first. */
  static readonly of = (details: ReadonlyArray<InvalidField>): InvalidInput => {
    const first = details[0]
    const rest = details.length - 1
    const more = rest <= 0 ? "" : ` (and ${rest} more ${rest === 1 ? "problem" : "problems"})`
    return new InvalidInput({
      message:
        first === undefined
          ? "The input is malformed."
          : `${first.path || "The input"} ${first.message}${more}.`,
      details
    })
  }

  /** An input with one wrong field. */
  static readonly at = (path: string, message: string): InvalidInput => InvalidInput.of([{ path, message }])
}

/** There is no caller: the token is missing, malformed, unknown, expired or revoked. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  message: Schema.String
}) {}

/** The caller sees the resource, but their role is too low for what they ask. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", { message: Schema.String }) {}

/** There is no such resource, or the caller may not know of it: the two are the same answer. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { message: Schema.String }) {
  /** `of("space")`: no space has this id, or the caller may not know. */
  static readonly of = (noun: string): NotFound => new NotFound({ message: `There is no such ${noun}.` })
}

/** The state that the resource is in does not allow it. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", { message: Schema.String }) {}

/** The resource was there, and its time to come back is over. */
export class Gone extends Schema.TaggedError<Gone>()("Gone", { message: Schema.String }) {}

/** Something that the operation needs elsewhere does not hold. */
export class PreconditionFailed extends Schema.TaggedError<PreconditionFailed>()("PreconditionFailed", {
  message: Schema.String
}) {}

/** What is fetched from elsewhere cannot be had. */
export class UpstreamFailed extends Schema.TaggedError<UpstreamFailed>()("UpstreamFailed", {
  message: Schema.String
}) {}

/** What is fetched from elsewhere does not come in time. */
export class UpstreamTimeout extends Schema.TaggedError<UpstreamTimeout>()("UpstreamTimeout", {
  message: Schema.String
}) {}
