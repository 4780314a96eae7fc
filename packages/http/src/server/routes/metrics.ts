/** `/metrics`: the metrics of the process in the text format of Prometheus. */
import { createHash, timingSafeEqual } from "node:crypto"
import type { Records } from "@lectern/core"
import { Effect, Redacted } from "effect"
import { unauthenticatedMetrics } from "../messages/failures.ts"
import type { ApiResponse } from "../messages/Message.ts"
import { makeMetricsCollector } from "../metrics/storeMetrics.ts"
import type { Route } from "./Route.ts"

/** Who can read `/metrics`. */
export interface MetricsAccess {
  /** The bearer token of the `Authorization` header. */
  readonly token: Redacted.Redacted<string>
}

/** The path of the metrics. */
export const metricsPath = "/metrics"

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Creates the function that compares a header with a token, in a time that does not depend on the token. */
export const makeTokenCheck = (
  token: Redacted.Redacted<string>
): ((authorization: string | undefined) => boolean) => {
  const expected = digest(Redacted.value(token))
  return (authorization) => {
    const given = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1]
    return given !== undefined && timingSafeEqual(digest(given), expected)
  }
}

/** Creates the effect that returns all metrics. */
export const makeMetricsResponse: Effect.Effect<Effect.Effect<ApiResponse>, never, Records> = Effect.gen(
  function* () {
    const collect = yield* makeMetricsCollector
    // Loaded on demand, because most of its modules are not used otherwise.
    const { PrometheusMetrics } = yield* Effect.promise(() => import("effect/observability"))
    return Effect.map(Effect.andThen(collect, PrometheusMetrics.format()), (body) => ({
      status: 200,
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" },
      body
    }))
  }
)

/** Creates the route of the metrics, by its path. */
export const makeMetricsRoutes = Effect.fnUntraced(function* ({ token }: MetricsAccess) {
  const isAuthorized = makeTokenCheck(token)
  const respond = yield* makeMetricsResponse
  const route: Route = ({ header }) =>
    isAuthorized(header("authorization")) ? respond : Effect.sync(unauthenticatedMetrics)
  return { [metricsPath]: route }
})
