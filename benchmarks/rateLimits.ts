/**
 * Measures the CPU time that rate limits add to a request with a token, in this process: the difference between two servers is
 * smaller than the variation of their compiled code. Run with `npm run bench:requests`.
 */
import { OrganizationMeter } from "@lectern/core"
import type { ApiRequest, ApiResponse } from "@lectern/http"
import { Effect, Stream } from "effect"
import { makeQuotas } from "../packages/http/src/server/limits/quotas.ts"
import { withRateLimits } from "../packages/http/src/server/limits/rateLimits.ts"
import { percentile } from "./processes.ts"

const requestsPerRound = 2_000
const rounds = 100

const request: ApiRequest = {
  id: "request",
  method: "GET",
  url: "/v1/spaces/space",
  header: (name) => (name === "authorization" ? `Bearer ${"t".repeat(43)}` : undefined),
  body: Effect.succeed(new Uint8Array()),
  streamBody: () => Stream.empty,
  remoteAddress: "127.0.0.1"
}

/** Charges the organization, as authorization does, and responds. */
const dispatch = () =>
  Effect.gen(function* () {
    const meter = yield* OrganizationMeter
    if (meter !== undefined) yield* meter("organization" as Parameters<typeof meter>[0])
    return { status: 200, headers: {}, body: "" } satisfies ApiResponse
  })

/** Returns the CPU time of rate limits per request, in microseconds. */
export const measureRateLimits = (): number => {
  const maximum = Number.MAX_SAFE_INTEGER
  const limits = { perToken: maximum, perAddress: maximum, perOrganization: maximum }
  const limited = withRateLimits(dispatch, limits, makeQuotas(undefined), "http://127.0.0.1:4400")
  const measureRound = (handle: (request: ApiRequest) => Effect.Effect<ApiResponse>): number => {
    const before = process.cpuUsage()
    for (let index = 0; index < requestsPerRound; index++) Effect.runSync(handle(request))
    return process.cpuUsage(before).user / requestsPerRound
  }
  const micros = { limited: [] as Array<number>, without: [] as Array<number> }
  for (let round = 0; round < rounds; round++) {
    micros.limited.push(measureRound(limited))
    micros.without.push(measureRound(dispatch))
  }
  return percentile(micros.limited, 0.1) - percentile(micros.without, 0.1)
}
