/** A worker whose lease of a delivery has expired does not change the result of the worker that has claimed it since. */
import { BackgroundWork, createWorkspace, Fetcher, UpstreamFailed } from "@lectern/core"
import { makeMovableClock } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Clock, Effect, Fiber, Layer } from "effect"
import { expect, it } from "vitest"

/** Longer than the lease of a delivery. */
const afterLeaseMs = 21_000

it("keeps the result of the second worker, whether the first one succeeds or fails after its lease", async () => {
  for (const lateStatus of [200, 500, undefined]) {
    const time = makeMovableClock()
    let requests = 0
    const responses = Promise.withResolvers<void>()
    const sent = Promise.withResolvers<void>()
    const fetcher = Layer.succeed(Fetcher, ({ url }) => {
      requests += 1
      const response = { url, status: 204, contentType: "", body: new Uint8Array(0) }
      if (requests > 1) return Effect.succeed(response)
      sent.resolve()
      return Effect.andThen(
        Effect.promise(() => responses.promise),
        lateStatus === undefined
          ? Effect.fail(new UpstreamFailed({ reason: "FetchFailed", message: "The connection was lost." }))
          : Effect.succeed({ ...response, status: lateStatus })
      )
    })
    const workspace = createWorkspace({ storage: MemoryStorage.layer().pipe(Layer.provideMerge(fetcher)) })
    const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
    const organization = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: "Acme" }
    })
    const ada = workspace.as(user)
    const work = Effect.provideService(
      Effect.flatMap(BackgroundWork, ({ drain }) => drain),
      Clock.Clock,
      time.clock
    )
    const { id: webhook } = await ada.webhooks.create({
      organization,
      input: { url: "https://example.com/hook", events: ["space.created"] }
    })
    await ada.spaces.create({ organization, input: { title: "Handbook" } })
    const first = workspace.runtime.runFork(work)
    await sent.promise
    time.advance(afterLeaseMs)
    await workspace.runtime.runPromise(work)
    const delivery = async () =>
      (await ada.webhooks.listDeliveries({ organization, webhook, input: {} })).items
    const delivered = await delivery()
    expect(delivered).toMatchObject([{ state: "delivered", attempts: 2 }])
    responses.resolve()
    await Effect.runPromise(Fiber.await(first))
    expect(await delivery()).toEqual(delivered)
    await workspace.dispose()
  }
})
