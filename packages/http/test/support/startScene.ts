/** A server on a rewindable store, for tests that call every operation from the same state. */

import { BackgroundWork, type RecordsAdapter, SigningSecret } from "@lectern/core"
import type { SceneHost } from "@lectern/harness/operations"
import type { HttpOptions } from "@lectern/http"
import { MemoryStorage, type RewindableStorage } from "@lectern/testkit"
import { Clock, Effect, Layer, Redacted } from "effect"
import { startServer, type TestServer } from "../support.ts"
import { authorizeProgram } from "./authorizeProgram.ts"
import { fakeFetcher } from "./fakeFetcher.ts"
import { stageFont } from "./stageFont.ts"
import { startSession } from "./startSession.ts"

/** A server with an owner of two organizations. */
export interface SceneServer extends SceneHost {
  readonly server: TestServer
  readonly save: RewindableStorage["save"]
  /** The token of the owner. */
  readonly token: string
}

/** The secret of the workspace is fixed, as a rewind would remove a stored one. */
const environment = Layer.merge(
  fakeFetcher,
  Layer.succeed(SigningSecret, Redacted.make("a secret for tests"))
)

/** Starts a server with an owner of two organizations. `wrap` wraps its store; `options` configure the server. */
export const startScene = async (
  wrap: (storage: Layer.Layer<RecordsAdapter, unknown>) => Layer.Layer<RecordsAdapter, unknown> = (storage) =>
    storage,
  options: HttpOptions = {}
): Promise<SceneServer> => {
  const storage = MemoryStorage.rewindable()
  const server = await startServer(Layer.provideMerge(wrap(storage.layer), environment), options)
  const email = "ada@example.com"
  const owner = await server.core.createUser(email)
  const token = await server.tokenOf(owner)
  const organization = await server.core.createOrganization("Acme", owner)
  return {
    server,
    token,
    save: storage.save,
    owner: { id: owner, email },
    organization,
    elsewhere: await server.core.createOrganization("Elsewhere", owner),
    call: async <A>(method: string, path: string, body?: unknown): Promise<A> => {
      const init = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await server.fetch(path, { method, token, ...init })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path} returns ${response.status}: ${text}`)
      return (text === "" ? undefined : JSON.parse(text)) as A
    },
    signIn: () =>
      server.core.runtime.runPromise(
        Effect.provideService(startSession(email), Clock.Clock, server.core.clock)
      ),
    uploadFont: () =>
      server.core.runtime.runPromise(
        Effect.provideService(stageFont(owner, organization), Clock.Clock, server.core.clock)
      ),
    authorizeProgram: () =>
      server.core.runtime.runPromise(
        Effect.provideService(authorizeProgram(owner), Clock.Clock, server.core.clock)
      ),
    work: () =>
      server.core.runtime.runPromise(
        Effect.provideService(
          Effect.flatMap(BackgroundWork, ({ drain }) => drain),
          Clock.Clock,
          server.core.clock
        )
      )
  }
}
