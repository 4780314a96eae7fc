/**
 * The errors that only clients have. The others are classes of `@lectern/core`, with which embedded workspaces fail too.
 */

import * as Schema from "effect/Schema"
import type { OperationError } from "../../errors/errors.ts"
import type { FeatureError } from "../../errors/FeatureError.ts"

/** 413: the body of the request exceeds the limit of the server. */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()(
  "PayloadTooLarge",
  { reason: Schema.Literals(["BodyTooLarge"]), message: Schema.String },
  { httpApiStatus: 413 }
) {}

/** 415: the body of the request is not JSON, or is compressed. */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()(
  "UnsupportedMediaType",
  { reason: Schema.Literals(["NotJson"]), message: Schema.String },
  { httpApiStatus: 415 }
) {}

/** 429: too many requests in one minute. Retry after `Retry-After`. */
export class RateLimited extends Schema.TaggedError<RateLimited>()(
  "RateLimited",
  { reason: Schema.Literals(["RateLimitExceeded"]), message: Schema.String },
  { httpApiStatus: 429 }
) {}

/** 503: the server cannot complete the request now. Retry it after `Retry-After`, if it is safe to repeat. */
export class ServiceUnavailable extends Schema.TaggedError<ServiceUnavailable>()(
  "ServiceUnavailable",
  {
    reason: Schema.Literals([
      "Unreachable",
      "Contention",
      "Overloaded",
      "DeadlineExceeded",
      "ReadOnly",
      "Corrupted",
      "FileReplaced",
      "ConversionFailed",
      "SchemaTooNew",
      "NotStarted"
    ]),
    message: Schema.String
  },
  { httpApiStatus: 503 }
) {}

/** No response arrived: the server cannot be reached, or the browser blocked the request. `cause` is the error of `fetch`. */
export class ConnectionFailed extends Schema.TaggedError<ConnectionFailed>()("ConnectionFailed", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

/** The operation does not declare the response. It is that of a proxy, or of a defect of the server. */
export class UnexpectedResponse extends Schema.TaggedError<UnexpectedResponse>()("UnexpectedResponse", {
  message: Schema.String,
  /** The HTTP status. Absent if the response is successful and its body does not match its declaration. */
  status: Schema.optionalKey(Schema.Int),
  /** The request id, with which the server logged the request. */
  requestId: Schema.optionalKey(Schema.String)
}) {}

/** Every error that a call rejects with, except the reason of an aborted signal. Distinguish them by `_tag`. */
export type ClientError =
  | OperationError
  | FeatureError
  | PayloadTooLarge
  | UnsupportedMediaType
  | RateLimited
  | ServiceUnavailable
  | ConnectionFailed
  | UnexpectedResponse
