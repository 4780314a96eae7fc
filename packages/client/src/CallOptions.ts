/** The options of a call, without types of Effect: `@lectern/client/fetch` has them too. */

/** Headers that make a request conditional or repeatable. */
export interface RequestConditions {
  /**
   * A unique name of a POST request: 1 to 255 visible ASCII characters, such as `crypto.randomUUID()`. A repetition with the
   * same key within 24 hours is not executed again, and has the response of the first success.
   */
  readonly idempotencyKey?: string
  /** The entity tag of the resource to change. Fails with `PreconditionFailed` if the resource has another version. */
  readonly ifMatch?: string
  /** `*` to create a resource only if it does not exist. Fails with `PreconditionFailed` if it exists. */
  readonly ifNoneMatch?: string
}

/** The headers of a response that the result of an operation does not contain. */
export interface ResponseDetails {
  /** The HTTP status. */
  readonly status: number
  /** The entity tag of the resource, for `ifMatch`. */
  readonly etag: string | undefined
  /** Whether it is the response to an earlier request with the same idempotency key. */
  readonly isReplayed: boolean
}

/** Options of a single call. */
export interface CallOptions extends RequestConditions {
  /** Called with the status and the headers of the response, such as its entity tag, before the promise is settled. */
  readonly onResponse?: (details: ResponseDetails) => void
  /** Aborts the request. The promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}
