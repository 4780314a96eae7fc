/** Health checks: whether the process is up, and whether its store responds. */
import { Records, users } from "@lectern/core"
import { Effect } from "effect"
import { json } from "../messages/Message.ts"
import type { Route } from "./Route.ts"

/** The store is not ready when it does not respond within this time. */
const readinessTimeout = "2 seconds"

const ok = () => json(200, `{"status":"ok"}`)

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
        ready ? ok() : json(503, `{"status":"the database cannot be reached"}`)
      )
  }
})
