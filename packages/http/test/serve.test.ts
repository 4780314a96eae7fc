import { Administration, ApiTokens, RecordsAdapter, UserId, Workspace } from "@lectern/core"
import { serve } from "@lectern/http"
import { MemoryStorage } from "@lectern/testkit"
import { Deferred, Effect, Layer, Redacted } from "effect"
import { expect, it } from "vitest"

it("the store outlives what still writes, though its client has gone and the server stops", async () => {
  const events: Array<string> = []
  const writing = Deferred.makeUnsafe<void>()
  const storage = Layer.effect(
    RecordsAdapter,
    Effect.gen(function* () {
      const adapter = yield* RecordsAdapter
      yield* Effect.addFinalizer(() => Effect.sync(() => events.push("closed")))
      return RecordsAdapter.of({
        ...adapter,
        // As a commit is: once it is on its way, nothing calls it back.
        insert: (table, rows) =>
          table.name !== "spaces"
            ? adapter.insert(table, rows)
            : Deferred.succeed(writing, undefined).pipe(
                Effect.andThen(Effect.sleep("200 millis")),
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
      const user = yield* administration.createUser({ email: "ada@example.com" })
      const organization = yield* administration.createOrganization({ title: "Acme" }, user)
      const { secret } = yield* (yield* ApiTokens).create({ user: UserId.make(user), label: "Test" })
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
          yield* Effect.sleep("20 millis")
        })
      )
      events.push("stopped")
    }).pipe(Effect.provide(Workspace.layer.pipe(Layer.provide(storage))))
  )
  expect(events).toEqual(["gone", "written", "stopped", "closed"])
})

it("a server whose port is taken says so", async () => {
  const failure = await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { port } = yield* serve()
        return yield* Effect.flip(serve({ port }))
      })
    ).pipe(Effect.provide(Workspace.layer.pipe(Layer.provide(MemoryStorage.layer()))))
  )
  expect(failure.message).toMatch(
    /^Cannot listen on 127\.0\.0\.1:\d+: something else listens there already\.$/
  )
})
