/**
 * The errors that operations declare. Their encoded form is one error body for all; their decoded form is a class for each.
 */

import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import {
  Conflict,
  FailingMergeRule,
  Forbidden,
  Gone,
  InvalidField,
  InvalidInput,
  NotFound,
  PreconditionFailed,
  statusOf,
  Unauthenticated,
  UpstreamFailed,
  UpstreamTimeout
} from "../../errors/errors.ts"
import { PayloadTooLarge, RateLimited, ServiceUnavailable, UnsupportedMediaType } from "./clientErrors.ts"

const code = (status: number) => Schema.Literal(status).annotate({ description: "The HTTP status." })
const message = Schema.String.annotate({ description: "A description of the error for people." })
const reasonDescription = { description: "The reason of the error for programs: one of a closed set." }

/** The body of an error response. */
export interface FailureBody {
  readonly error: {
    readonly code: number
    readonly reason: string
    readonly message: string
    readonly details?: ReadonlyArray<InvalidField>
  }
}

/** The schema of a declared error. It is an interface so that declarations of the API stay short. */
export interface Failure<Error> extends Schema.Codec<Error, FailureBody> {}

/** An error class with a reason and a message, which declares its HTTP status. */
type ReasonedError<Tag extends string, Reason extends string, Error> = Schema.Codec<
  Error,
  { readonly _tag: Tag; readonly reason: Reason; readonly message: string }
> & { readonly identifier: Tag; readonly fields: { readonly reason: Schema.Codec<Reason> } }

/** Declares the body of an error class, which becomes one component of the OpenAPI document. */
const body = <Error extends Schema.Top>(error: Error, tag: string) =>
  Schema.Struct({ error: error.annotate({ description: "The error." }) }).annotate({
    identifier: `${tag}Error`,
    description: `The body of a response with the error \`${tag}\`.`
  })

/** Removes the identifier of an error class, because the OpenAPI document describes the encoded body instead. */
const inlined = { identifier: undefined }

/** Returns a function that declares an error of `errorClass`, by a description of when it occurs. */
const failureOf = <Tag extends string, Reason extends string, Error>(
  errorClass: ReasonedError<Tag, Reason, Error>
): ((description: string) => Failure<Error>) => {
  const status = statusOf({ constructor: errorClass })
  const reason = errorClass.fields.reason.annotate(reasonDescription)
  const declared = body(Schema.Struct({ code: code(status), reason, message }), errorClass.identifier).pipe(
    Schema.decodeTo(
      errorClass,
      SchemaTransformation.transform({
        decode: ({ error }) => ({
          _tag: errorClass.identifier,
          reason: error.reason,
          message: error.message
        }),
        encode: ({ reason, message }) => ({ error: { code: status, reason, message } })
      })
    )
  )
  return (description) => declared.annotate({ ...inlined, description, httpApiStatus: status })
}

const malformed = "The request is malformed, or a field is invalid."
const details = Schema.optionalKey(Schema.Array(InvalidField)).annotate({
  description: "Every invalid field."
})

const invalidInput: Failure<InvalidInput> = body(
  Schema.Struct({
    code: code(400),
    reason: InvalidInput.fields.reason.annotate(reasonDescription),
    message,
    details
  }),
  "InvalidInput"
)
  .pipe(
    Schema.decodeTo(
      InvalidInput,
      SchemaTransformation.transform({
        decode: ({ error: { reason, message, details = [] } }) => ({
          _tag: "InvalidInput" as const,
          reason,
          message,
          details
        }),
        encode: ({ reason, message, details }) => ({ error: { code: 400, reason, message, details } })
      })
    )
  )
  .annotate({ ...inlined, description: malformed, httpApiStatus: 400 })

const declaredConflict = body(
  Schema.Struct({
    code: code(409),
    reason: Conflict.fields.reason.annotate(reasonDescription),
    message,
    failingRules: Schema.optionalKey(Schema.Array(FailingMergeRule)).annotate({
      description: "The merge rules that do not pass. Present for the reason `MergeRulesFailing`."
    })
  }),
  "Conflict"
).pipe(
  Schema.decodeTo(
    Conflict,
    SchemaTransformation.transform({
      decode: ({ error: { code: _, ...error } }) => ({ _tag: "Conflict" as const, ...error }),
      encode: ({ _tag: _, ...error }) => ({ error: { code: 409, ...error } })
    })
  )
)
const upstreamTimeout: Failure<UpstreamTimeout> = body(
  Schema.Struct({
    code: code(504),
    reason: UpstreamTimeout.fields.reason.annotate(reasonDescription),
    message,
    run: Schema.optionalKey(Schema.String).annotate({
      description:
        "The id of the import run that continues in the background; the header `Location` has its URL. Present for the reason `ImportStillRunning`: repeating the request waits for the run."
    })
  }),
  "UpstreamTimeout"
)
  .pipe(
    Schema.decodeTo(
      UpstreamTimeout,
      SchemaTransformation.transform({
        decode: ({ error: { reason, message, run } }) => ({
          _tag: "UpstreamTimeout" as const,
          reason,
          message,
          ...(run === undefined ? {} : { run: { id: run } })
        }),
        encode: ({ reason, message, run }) => ({
          error: { code: 504, reason, message, ...(run === undefined ? {} : { run: run.id }) }
        })
      })
    )
  )
  .annotate({
    ...inlined,
    description:
      "The given URL does not respond in time, or the import takes longer than the request can wait.",
    httpApiStatus: 504
  })

const conflict = (description: string): Failure<Conflict> =>
  declaredConflict.annotate({ ...inlined, description, httpApiStatus: 409 })
const expired = failureOf(Gone)
const preconditionFailed = failureOf(PreconditionFailed)

/** The errors of an operation that only reads. */
export type ReadFailure =
  | Failure<InvalidInput>
  | Failure<Unauthenticated>
  | Failure<Forbidden>
  | Failure<NotFound>
  | Failure<RateLimited>
  | Failure<ServiceUnavailable>

/** The errors of an operation that renders content. */
export type PrintFailure = ReadFailure | Failure<Conflict>

/** The errors of an operation that changes something. */
export type ChangeFailure = PrintFailure | Failure<PayloadTooLarge> | Failure<UnsupportedMediaType>

/** The errors of an operation that fetches from another server before it changes anything. */
export type ImportFailure = ConditionalFailure | Failure<UpstreamFailed> | Failure<UpstreamTimeout>

/** The errors of a change with a precondition. */
export type ConditionalFailure = ChangeFailure | Failure<PreconditionFailed>

/** The errors of restoring a resource from the trash. */
export type RestoreFailure = ConditionalFailure | Failure<Gone>

/** The errors of joining by an invite link. */
export type JoinFailure = ChangeFailure | Failure<Gone>

/** The errors of every operation. */
const always: ReadonlyArray<ReadFailure> = [
  invalidInput,
  failureOf(Unauthenticated)("The API token is missing, unknown, expired or revoked."),
  failureOf(Forbidden)("The caller's role is too low."),
  failureOf(NotFound)("The resource does not exist, or the caller cannot see it."),
  failureOf(RateLimited)("The caller has sent too many requests in one minute."),
  failureOf(ServiceUnavailable)("The server cannot complete the request now. Try again later.")
]

/** The errors of an operation that only reads. */
export const reading: ReadonlyArray<ReadFailure> = always

/** The errors of reading resources that are removed when their retention expires. */
export const retained: ReadonlyArray<ReadFailure | Failure<Gone>> = [
  ...always,
  expired("Events after the cursor were removed, because their retention has expired.")
]

/** The errors of an operation that renders content. */
export const printing: ReadonlyArray<PrintFailure> = [
  ...always,
  conflict("The PDF of the content cannot be created.")
]

/** The errors of an operation that changes something. */
export const changing: ReadonlyArray<ChangeFailure> = [
  ...always,
  conflict("The state of the resource does not allow the operation."),
  failureOf(PayloadTooLarge)("The request body exceeds the limit."),
  failureOf(UnsupportedMediaType)("The request body is not JSON.")
]

/** The errors of changing or removing a resource that has an entity tag. */
export const editing: ReadonlyArray<ConditionalFailure> = [
  ...changing,
  preconditionFailed(
    "The resource has changed since the version that `If-Match` names, or `If-None-Match` excludes it."
  )
]

/** The errors of an operation that fetches from another server before it changes anything. */
export const importing: ReadonlyArray<ImportFailure> = [
  ...editing,
  failureOf(UpstreamFailed)("The given URL cannot be fetched."),
  upstreamTimeout
]

/** The errors of a transfer to another organization. */
export const transferring: ReadonlyArray<ConditionalFailure> = [
  ...changing,
  preconditionFailed(
    "The caller cannot create content in the target organization, or the resource has changed since the version that `If-Match` names."
  )
]

/** The errors of restoring a resource from the trash. */
export const restoring: ReadonlyArray<RestoreFailure> = [
  ...editing,
  expired("The resource was deleted more than 7 days ago.")
]

/** The errors of joining by an invite link. */
export const joining: ReadonlyArray<JoinFailure> = [
  ...changing,
  expired(
    "The invite link has expired, was used as often as it can be, or its inviter cannot grant its role."
  )
]
