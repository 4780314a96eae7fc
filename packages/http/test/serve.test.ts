/** `serve`: the order of shutdown, and a port that is in use. */
import { Administration, ApiTokens, RecordsAdapter, UserId, Workspace } from "@lectern/core"
import { serve } from "@lectern/http"
import { MemoryStorage } from "@lectern/testkit"
import { Deferred, Effect, Layer, Redacted } from "effect"
import { expect, it } from "vitest"
import { until } from "./support/until.ts"

/** Allows the write to commit once the server accepts no more connections. */
const commitOnceItStops = (port: number, mayCommit: Deferred.Deferred<void>) =>
  Effect.andThen(
    Effect.promise(() =>
      until("the server accepts no connection", () =>
        fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: "close" } }).then(
          () => false,
          () => true
        )
      )
    ),
    Deferred.succeed(mayCommit, undefined)
  )

it("stops the store only after the last write, even if the client of that write has disconnected", async () => {
  const events: Array<string> = []
  const [writing, mayCommit] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
  const storage = Layer.effect(
    RecordsAdapter,
    Effect.gen(function* () {
      const adapter = yield* RecordsAdapter
      yield* Effect.addFinalizer(() => Effect.sync(() => events.push("closed")))
      return RecordsAdapter.of({
        ...adapter,
        // Like a commit, it cannot be interrupted.
        insert: (table, rows) =>
          table.name !== "spaces"
            ? adapter.insert(table, rows)
            : Deferred.succeed(writing, undefined).pipe(
                Effect.andThen(Deferred.await(mayCommit)),
                Effect.andThen(adapter.insert(table, rows)),
                Effect.ensuring(Effect.sync(() => events.push("written"))),
                Effect.uninterruptible
              )
      })
    })
  ).pipe(Layer.provide(MemoryStorage.layer()))

  await Effect.runPromise(
    Effect.gen(function* () {
      const administration = yield* Administration
      const user = yield* administration.createUser({ input: { email: "ada@example.com" } })
      const organization = yield* administration.createOrganization({
        administrator: user,
        input: { title: "Acme" }
      })
      const { secret } = yield* (yield* ApiTokens).create({
        input: { user: UserId.make(user), label: "Test" }
      })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { port } = yield* serve()
          const controller = new AbortController()
          fetch(`http://127.0.0.1:${port}/v1/orgs/${organization}/spaces`, {
            method: "POST",
            headers: { authorization: `Bearer ${Redacted.value(secret)}` },
            signal: controller.signal
          }).catch(() => events.push("gone"))
          yield* Deferred.await(writing)
          controller.abort()
          yield* Effect.promise(() => until("the client has disconnected", () => events.includes("gone")))
          // Runs before the finalizers of the server, and does not delay them.
          yield* Effect.addFinalizer(() => Effect.forkDetach(commitOnceItStops(port, mayCommit)))
        })
      )
      events.push("stopped")
    }).pipe(Effect.provide(Workspace.layer.pipe(Layer.provide(storage))))
  )
  expect(events).toEqual(["gone", "written", "stopped", "closed"])
})

it("fails with `CannotListen` if the port is in use", async () => {
  const failure = await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { port } = yield* serve()
        return yield* Effect.flip(serve({ port }))
      })
    ).pipe(Effect.provide(Workspace.layer.pipe(Layer.provide(MemoryStorage.layer()))))
  )
  expect(failure._tag).toBe("CannotListen")
  expect(failure.message).toMatch(/^Cannot listen on 127\.0\.0\.1:\d+: another program uses this port\.$/)
})
