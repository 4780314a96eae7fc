/** The histogram of requests, by operation and status. */
import { type Fiber, Metric } from "effect"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"

/** Upper bounds of the buckets of durations, in milliseconds. */
const boundaries = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000]

/** Clients choose the method of a request, so that others share one series. */
const knownMethods: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS"
])

const histograms = new Map<string, Metric.Histogram<number>>()

const histogramOf = (method: string, route: string, status: number): Metric.Histogram<number> => {
  const key = `${method} ${route} ${status}`
  let histogram = histograms.get(key)
  if (histogram === undefined) {
    histogram = Metric.histogram("lectern_http_request_duration_ms", {
      description:
        "Duration of requests in milliseconds, until the head of the response. The route `none` has all unknown paths, and pages of sites",
      boundaries,
      attributes: { method, route, status: String(status) }
    })
    histograms.set(key, histogram)
  }
  return histogram
}

/** Records the duration of a request, in milliseconds. */
export const recordRequest = (
  fiber: Fiber.Fiber<unknown, unknown>,
  { method }: ApiRequest,
  { status, outcome }: ApiResponse,
  durationMs: number
): void => {
  const knownMethod = knownMethods.has(method) ? method : "other"
  histogramOf(knownMethod, outcome?.route ?? "none", status).updateUnsafe(durationMs, fiber.context)
}
