/** Errors on the wire: one shape for all, with the status in it. */
import { InvalidField } from "@lectern/core"
import { Schema } from "effect"

/** The body of every answer that is not a success. */
const body = (status: number, description: string) =>
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literal(status).annotate({ description: "The HTTP status." }),
      message: Schema.String.annotate({ description: "What is wrong, in a sentence for people." }),
      ...(status === 400
        ? {
            details: Schema.optionalKey(Schema.Array(InvalidField)).annotate({
              description: "Every wrong field."
            })
          }
        : {})
    })
  }).annotate({ description, httpApiStatus: status })

/** What every operation may answer. */
const always = [
  body(400, "The request is malformed, or a field of it is out of bounds."),
  body(401, "The API token is missing, unknown, expired or revoked."),
  body(403, "The caller's role is too low."),
  body(404, "There is no such resource, or the caller may not see it."),
  body(503, "The database cannot be reached; try again later.")
] as const

/** The errors of an operation that only reads. */
export const reading = always

/** The errors of an operation that makes something of what it reads. */
export const printing = [...always, body(409, "The content is such that it cannot be made.")] as const

/** The errors of an operation that changes something. */
export const changing = [
  ...always,
  body(409, "The state of the resource does not allow it."),
  body(413, "The body is too large."),
  body(415, "The body is not JSON.")
] as const

/** The errors of an operation that asks for something outside before it changes anything. */
export const importing = [
  ...changing,
  body(502, "What is at the address given cannot be fetched."),
  body(504, "What is at the address given does not come in time.")
] as const

/** The errors of changing or removing what is at the path itself. */
export const editing = [
  ...changing,
  body(412, "It has changed since the client got the tag that it sent as `If-Match`.")
] as const

/** The errors of a transfer to another organization. */
export const transferring = [
  ...changing,
  body(412, "The caller cannot create content in the target organization.")
] as const

/** The errors of taking something out of the bin. */
export const restoring = [...changing, body(410, "It was deleted too long ago.")] as const
