/**
 * Errors of the API that only clients see. The others are classes of `@lectern/core`, the same that an embedded
 * workspace fails with.
 */
import { Schema } from "effect"

/** 413: the body of the request exceeds the limit of the server. */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", {
  message: Schema.String
}) {}

/** 415: the body of the request is not JSON, or is compressed. */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()("UnsupportedMediaType", {
  message: Schema.String
}) {}

/** 503: the server cannot reach its database, or is starting. The request may be retried. */
export class ServiceUnavailable extends Schema.TaggedError<ServiceUnavailable>()("ServiceUnavailable", {
  message: Schema.String
}) {}

/** No response arrived: the server cannot be reached, or the browser blocked the request. The request may be retried. */
export class ConnectionFailed extends Schema.TaggedError<ConnectionFailed>()("ConnectionFailed", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

/** The response is none that the operation declares, as those of proxies and of defects of the server are. */
export class UnexpectedResponse extends Schema.TaggedError<UnexpectedResponse>()("UnexpectedResponse", {
  message: Schema.String,
  /** The HTTP status. Absent where the body of a success does not match its declaration. */
  status: Schema.optionalKey(Schema.Int),
  /** The id under which the server logged the request. */
  requestId: Schema.optionalKey(Schema.String)
}) {}
