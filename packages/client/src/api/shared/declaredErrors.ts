/**
 * The errors that operations declare. On the wire all have one shape, with the status in it; in a program each is an
 * error class of its own.
 */

import { Schema, SchemaTransformation } from "effect"
import { PayloadTooLarge, ServiceUnavailable, UnsupportedMediaType } from "../../clientErrors.ts"
import {
  Conflict,
  Forbidden,
  Gone,
  InvalidField,
  InvalidInput,
  NotFound,
  PreconditionFailed,
  Unauthenticated,
  UpstreamFailed,
  UpstreamTimeout
} from "../../serviceErrors.ts"

const code = (status: number) => Schema.Literal(status).annotate({ description: "The HTTP status." })
const message = Schema.String.annotate({ description: "What is wrong, in a sentence for people." })

/** The body of a response that is not a success. */
export interface FailureBody {
  readonly error: {
    readonly code: number
    readonly message: string
    readonly details?: ReadonlyArray<InvalidField>
  }
}

/** The schema of a declared error. It is an interface so that declarations of the API stay short. */
export interface Failure<Error> extends Schema.Codec<Error, FailureBody> {}

/** An error class whose only field is its message. */
type MessageError<Tag extends string, Error> = Schema.Codec<
  Error,
  { readonly _tag: Tag; readonly message: string }
> & { readonly identifier: Tag }

/** Keeps the identifier of an error class out of the OpenAPI document, which describes bodies in place. */
const inlined = { identifier: undefined }

/** Declares an error of `errorClass`. */
const failure = <Tag extends string, Error>(
  errorClass: MessageError<Tag, Error>,
  status: number,
  description: string
): Failure<Error> =>
  Schema.Struct({ error: Schema.Struct({ code: code(status), message }) })
    .annotate({ description })
    .pipe(
      Schema.decodeTo(
        errorClass,
        SchemaTransformation.transform({
          decode: ({ error }) => ({ _tag: errorClass.identifier, message: error.message }),
          encode: ({ message }) => ({ error: { code: status, message } })
        })
      )
    )
    .annotate({ ...inlined, description, httpApiStatus: status })

const malformed = "The request is malformed, or a field of it is out of bounds."
const details = Schema.optionalKey(Schema.Array(InvalidField)).annotate({ description: "Every wrong field." })

const invalidInput: Failure<InvalidInput> = Schema.Struct({
  error: Schema.Struct({ code: code(400), message, details })
})
  .annotate({ description: malformed })
  .pipe(
    Schema.decodeTo(
      InvalidInput,
      SchemaTransformation.transform({
        decode: ({ error: { message, details = [] } }) => ({
          _tag: "InvalidInput" as const,
          message,
          details
        }),
        encode: ({ message, details }) => ({ error: { code: 400, message, details } })
      })
    )
  )
  .annotate({ ...inlined, description: malformed, httpApiStatus: 400 })

const conflict = (description: string) => failure(Conflict, 409, description)
const preconditionFailed = (description: string) => failure(PreconditionFailed, 412, description)

/** The errors of every operation. */
const always = [
  invalidInput,
  failure(Unauthenticated, 401, "The API token is missing, unknown, expired or revoked."),
  failure(Forbidden, 403, "The caller's role is too low."),
  failure(NotFound, 404, "There is no such resource, or the caller may not see it."),
  failure(ServiceUnavailable, 503, "The database cannot be reached; try again later.")
] as const

/** The errors of an operation that only reads. */
export const reading = always

/** The errors of an operation that renders what it reads. */
export const printing = [...always, conflict("The content is such that it cannot be made.")] as const

/** The errors of an operation that changes something. */
export const changing = [
  ...always,
  conflict("The state of the resource does not allow it."),
  failure(PayloadTooLarge, 413, "The body is too large."),
  failure(UnsupportedMediaType, 415, "The body is not JSON.")
] as const

/** The errors of an operation that fetches from another server before it changes anything. */
export const importing = [
  ...changing,
  failure(UpstreamFailed, 502, "What is at the address given cannot be fetched."),
  failure(UpstreamTimeout, 504, "What is at the address given does not come in time.")
] as const

/** The errors of changing or removing the resource at the path itself. */
export const editing = [
  ...changing,
  preconditionFailed("It has changed since the client got the tag that it sent as `If-Match`.")
] as const

/** The errors of a transfer to another organization. */
export const transferring = [
  ...changing,
  preconditionFailed("The caller cannot create content in the target organization.")
] as const

/** The errors of restoring a resource from the trash. */
export const restoring = [...changing, failure(Gone, 410, "It was deleted too long ago.")] as const
