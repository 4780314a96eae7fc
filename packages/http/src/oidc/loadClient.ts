/** Loads the client of OpenID Connect by its first use, because few servers need it. */
import { Fetcher } from "@lectern/core"
import { Effect } from "effect"
import type { OidcClient } from "./client.ts"

/** Creates the effect that returns the client. */
export const makeLoadClient = Effect.gen(function* () {
  const fetcher = yield* Fetcher
  let loaded: OidcClient | undefined
  return Effect.suspend(() =>
    loaded === undefined
      ? Effect.tap(
          Effect.flatMap(
            Effect.promise(() => import("./client.ts")),
            ({ makeOidcClient }) => Effect.provideService(makeOidcClient, Fetcher, fetcher)
          ),
          (client) =>
            Effect.sync(() => {
              loaded = client
            })
        )
      : Effect.succeed(loaded)
  )
})
