/** The log of requests. The server of the command line replaces it with one that does less work per request. */
import { Context } from "effect"

/** A request that was handled. */
export interface LoggedRequest {
  /** The HTTP method. */
  readonly method: string
  /** The pattern of the route, or `none`. */
  readonly route: string
  /** The status of the response. */
  readonly status: number
  /** The time from the request to the head of the response. */
  readonly durationMillis: number
  /** The request id. */
  readonly requestId: string
  /** The address of the client, if it is known. */
  readonly remoteAddress?: string
  /** The reason of an error that clients do not see. */
  readonly reason?: string
}

/** Writes one entry for each request without a cause to report. By default, requests are logged with `Effect.logInfo`. */
export class RequestLog extends Context.Reference<((request: LoggedRequest) => void) | undefined>(
  "@lectern/http/RequestLog",
  { defaultValue: () => undefined }
) {}
