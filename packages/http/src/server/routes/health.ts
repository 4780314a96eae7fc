/** Health checks: `/healthz`, whether the process is up, and `/readyz`, whether it can serve requests. */
import { Records, type StorageUnavailable } from "@lectern/core"
import { Clock, Effect, Fiber } from "effect"
import { jsonResponse } from "../messages/Message.ts"
import { stoppingReadiness, unavailableReasons } from "../messages/unavailable.ts"
import type { Route } from "./Route.ts"

/** The time within which the database must respond. */
const readinessTimeout = "2 seconds"

/** How long the result of a probe is valid, in milliseconds. */
const probeValidityMs = 1_000

const readinessOf = (reason: StorageUnavailable["reason"]): string => unavailableReasons[reason].readiness

const respond = (status: string | undefined) =>
  status === undefined
    ? jsonResponse(200, `{"status":"ok"}`)
    : jsonResponse(503, JSON.stringify({ status }), { "retry-after": "1" })

/** Creates the routes of health checks, by their paths. `isDraining` is whether the server is about to stop. */
export const makeHealthRoutes = Effect.fnUntraced(function* (isDraining: () => boolean) {
  const { probe } = yield* Records

  const probeOnce = probe.pipe(
    Effect.timeout(readinessTimeout),
    Effect.match({
      onSuccess: () => undefined,
      onFailure: (error) => readinessOf(error._tag === "StorageUnavailable" ? error.reason : "Unreachable")
    }),
    Effect.catchDefect(() => Effect.succeed(readinessOf("Unreachable")))
  )
  let current: { readonly fiber: Fiber.Fiber<string | undefined>; readonly startedAt: number } | undefined
  /** Concurrent checks share one probe, which a check that disconnects does not interrupt. */
  const readiness = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const isFinished = current?.fiber.pollUnsafe() !== undefined
    if (current === undefined || (isFinished && Math.abs(now - current.startedAt) >= probeValidityMs)) {
      current = { fiber: yield* Effect.forkDetach(probeOnce), startedAt: now }
    }
    return yield* Fiber.join(current.fiber)
  })
  const routes: Readonly<Record<string, Route>> = {
    "/healthz": () => Effect.sync(() => respond(undefined)),
    "/readyz": () =>
      isDraining() ? Effect.sync(() => respond(stoppingReadiness)) : Effect.map(readiness, respond)
  }
  return routes
})
