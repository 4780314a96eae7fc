/** Errors of SCIM (RFC 7644, section 3.12). */
import type { LecternError } from "@lectern/core"
import { Schema } from "effect"
import type { ApiResponse } from "../server/messages/Message.ts"

/** The kinds of errors that clients distinguish. */
const scimTypes = [
  "invalidFilter",
  "invalidPath",
  "invalidSyntax",
  "invalidValue",
  "mutability",
  "noTarget",
  "tooMany",
  "uniqueness"
] as const

/** The kind of an error that clients distinguish. */
export type ScimType = (typeof scimTypes)[number]

/** An error of a SCIM request. */
export class ScimError extends Schema.TaggedError<ScimError>()("ScimError", {
  status: Schema.Int,
  scimType: Schema.optionalKey(Schema.Literals(scimTypes)),
  detail: Schema.String
}) {}

/** Creates an error with the status 400. */
export const badRequest = (scimType: ScimType, detail: string): ScimError =>
  new ScimError({ status: 400, scimType, detail })

/** Creates an error without a kind. */
export const failure = (status: number, detail: string): ScimError => new ScimError({ status, detail })

const contentType = "application/scim+json"

/** Creates a response whose body is a SCIM resource or message. */
export const scimResponse = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {}
): ApiResponse => ({
  status,
  // Responses contain personal data.
  headers: { "cache-control": "no-store", ...headers, "content-type": contentType },
  body: JSON.stringify(body)
})

const errorSchema = "urn:ietf:params:scim:api:messages:2.0:Error"

/** The status and the kind of an error of an operation. */
const statusOf = (error: LecternError): readonly [status: number, scimType?: ScimType] => {
  switch (error._tag) {
    case "InvalidInput":
      return [400, "invalidValue"]
    case "Unauthenticated":
      return [401]
    case "Forbidden":
      return [403]
    case "NotFound":
      return [404]
    case "Conflict":
      // Another conflict concerns the state: the last administrator.
      return error.reason === "EmailTaken" ? [409, "uniqueness"] : [409]
    case "PreconditionFailed":
      return [412]
    case "StorageUnavailable":
      return [503]
    default:
      return [500]
  }
}

/** Creates the response of an error. */
export const errorResponse = (error: ScimError | LecternError): ApiResponse => {
  const [status, scimType] = error._tag === "ScimError" ? [error.status, error.scimType] : statusOf(error)
  const detail =
    error._tag === "ScimError"
      ? error.detail
      : error._tag === "StorageUnavailable"
        ? "The database is unavailable. Send the request again."
        : error.message
  const headers: Record<string, string> =
    status === 401 ? { "www-authenticate": "Bearer" } : status === 503 ? { "retry-after": "1" } : {}
  return scimResponse(
    status,
    {
      schemas: [errorSchema],
      status: String(status),
      ...(scimType === undefined ? {} : { scimType }),
      detail
    },
    headers
  )
}
