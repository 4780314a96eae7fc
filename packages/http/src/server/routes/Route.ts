/** A route outside of the `/v1` API. */
import type { Effect } from "effect"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"

/** Handles the requests to a path. */
export type Route = (request: ApiRequest) => Effect.Effect<ApiResponse>
