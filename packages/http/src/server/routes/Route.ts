/** A route that is no operation of the API. */
import type { Effect } from "effect"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"

/** Handles the requests of a path. */
export type Route = (request: ApiRequest) => Effect.Effect<ApiResponse>
