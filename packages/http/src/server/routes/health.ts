/** Health checks: `/healthz`, whether the process is up, and `/readyz`, whether its database responds. */
import { Records, users } from "@lectern/core"
import { Effect } from "effect"
import { jsonResponse } from "../messages/Message.ts"
import type { Route } from "./Route.ts"

/** The time within which the database must respond. */
const readinessTimeout = "2 seconds"

const ok = () => jsonResponse(200, `{"status":"ok"}`)

/** Creates the routes of health checks, by their paths. */
export const makeHealthRoutes = Effect.map(Records, (records): Readonly<Record<string, Route>> => {
  const isReady = Effect.suspend(() => records.first(users, {})).pipe(
    Effect.timeout(readinessTimeout),
    Effect.match({ onSuccess: () => true, onFailure: () => false }),
    Effect.catchDefect(() => Effect.succeed(false))
  )
  return {
    "/healthz": () => Effect.sync(ok),
    "/readyz": () =>
      Effect.map(isReady, (ready) =>
        ready ? ok() : jsonResponse(503, `{"status":"the database does not respond"}`)
      )
  }
})
