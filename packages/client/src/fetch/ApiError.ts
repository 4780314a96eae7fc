/** The error that calls of `@lectern/client/fetch` reject with. */
import type { ErrorCodes } from "./errorCodes.gen.ts"
import type { FailingMergeRule, InvalidField } from "./resources.gen.ts"

/** The kind of an error: that of the server by its status, or one of the client. */
export type ErrorTag = keyof ErrorCodes | "FeatureError" | "ConnectionFailed" | "UnexpectedResponse"

/**
 * The reason of an error for programs: one of a closed set, or one that a feature of the server declares, as in `labels.NameTaken`.
 * `Unknown` if the response is not an error of the API.
 */
export type ErrorCode = ErrorCodes[keyof ErrorCodes] | `${string}.${string}` | "ConnectionFailed" | "Unknown"

const tags: Readonly<Record<number, keyof ErrorCodes>> = {
  400: "InvalidInput",
  401: "Unauthenticated",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  410: "Gone",
  412: "PreconditionFailed",
  413: "PayloadTooLarge",
  415: "UnsupportedMediaType",
  429: "RateLimited",
  502: "UpstreamFailed",
  503: "ServiceUnavailable",
  504: "UpstreamTimeout"
}

/** The fields of an error besides its message. */
export interface ApiErrorFields {
  /** The HTTP status. 0 if no response arrived. */
  readonly status: number
  /** The reason of the error. */
  readonly code: ErrorCode
  /** The request id, with which the server logged the request. */
  readonly requestId?: string | undefined
  /** Every invalid field of the request. */
  readonly details?: ReadonlyArray<InvalidField> | undefined
  /** The merge rules that do not pass. Present for the code `MergeRulesFailing`. */
  readonly failingRules?: ReadonlyArray<FailingMergeRule> | undefined
  /** The run that continues after `UpstreamTimeout`. */
  readonly run?: string | undefined
  /** After how many seconds the request can be repeated, as the server states. */
  readonly retryAfterSeconds?: number | undefined
}

/** A call failed. Distinguish errors by `_tag` or `code`; `message` is for people. */
export class ApiError extends Error {
  override readonly name = "ApiError"
  /** The kind of the error, as of the errors of `@lectern/client`. */
  readonly _tag: ErrorTag
  /** The HTTP status. 0 if no response arrived. */
  readonly status: number
  /** The reason of the error. */
  readonly code: ErrorCode
  /** The request id, with which the server logged the request. */
  readonly requestId: string | undefined
  /** Every invalid field of the request. Empty for other errors. */
  readonly details: ReadonlyArray<InvalidField>
  /** The merge rules that do not pass. Empty unless the code is `MergeRulesFailing`. */
  readonly failingRules: ReadonlyArray<FailingMergeRule>
  /** The run that continues after `UpstreamTimeout`. */
  readonly run: string | undefined
  /** After how many seconds the request can be repeated, as the server states. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, fields: ApiErrorFields, options?: ErrorOptions) {
    super(message, options)
    this.status = fields.status
    this.code = fields.code
    this._tag =
      fields.code === "ConnectionFailed"
        ? "ConnectionFailed"
        : fields.code === "Unknown"
          ? "UnexpectedResponse"
          : fields.code.includes(".")
            ? "FeatureError"
            : (tags[fields.status] ?? "UnexpectedResponse")
    this.requestId = fields.requestId
    this.details = fields.details ?? []
    this.failingRules = fields.failingRules ?? []
    this.run = fields.run
    this.retryAfterSeconds = fields.retryAfterSeconds
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Creates the error of a response from its status, its headers and its body. */
export const errorOfResponse = (
  status: number,
  header: (name: string) => string | null,
  text: string
): ApiError => {
  const requestId = header("x-request-id") ?? undefined
  const retryAfter = Number(header("retry-after") ?? Number.NaN)
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined
  const body = parseJson(text)
  const error = isRecord(body) ? body.error : undefined
  if (!isRecord(error) || typeof error.message !== "string" || typeof error.reason !== "string") {
    return new ApiError(
      `The server responded with status ${status} and a body that is not an error of the API.`,
      { status, code: "Unknown", requestId, retryAfterSeconds }
    )
  }
  return new ApiError(error.message, {
    status,
    code: error.reason as ErrorCode,
    requestId,
    retryAfterSeconds,
    details: Array.isArray(error.details) ? error.details : undefined,
    failingRules: Array.isArray(error.failingRules) ? error.failingRules : undefined,
    run: typeof error.run === "string" ? error.run : undefined
  })
}

/** Creates the error of a request without a response. */
export const connectionFailed = (url: string, cause: unknown): ApiError =>
  new ApiError(
    `No response from ${url}: the server cannot be reached, or the request was blocked.`,
    { status: 0, code: "ConnectionFailed" },
    { cause }
  )
