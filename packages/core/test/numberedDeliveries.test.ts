/** Deliveries of webhooks are written with the numbers of their events: no interruption leaves one without the other. */
import { createWorkspace, EventLog, WebhookTimes } from "@lectern/core"
import { Fault, FaultyStorage, MemoryStorage } from "@lectern/testkit"
import { Effect, Exit, Layer } from "effect"
import { expect, it } from "vitest"

const number = Effect.flatMap(EventLog, (log) => log.number)

/** Numbers events with a failure at a step of the store, as if the process was killed there; then another process continues. */
const numberWithFailure = async (failing: number | undefined) => {
  const storage = FaultyStorage.make(MemoryStorage.layer())
  const workspace = createWorkspace({ storage: storage.layer })
  try {
    const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
    const organization = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: "Acme" }
    })
    const ada = workspace.as(user)
    const { runPromise, runPromiseExit } = workspace.runtime
    const { id: webhook } = await ada.webhooks.create({
      organization,
      input: { url: "https://example.com/hook" }
    })
    await runPromise(number)
    const count = async () => ({
      events: (await runPromise(Effect.flatMap(EventLog, (log) => log.read(0, {}, 1_000)))).length,
      deliveries: (await ada.webhooks.listDeliveries({ organization, webhook, input: {} })).count
    })
    const before = await count()
    for (const title of ["One", "Two", "Three"]) await ada.spaces.create({ organization, input: { title } })
    storage.takeSteps()
    if (failing !== undefined) storage.inject(Fault.times(1, Fault.fail(Fault.at.step(failing))))
    const exit = await runPromiseExit(number)
    const steps = storage.takeSteps().length
    storage.heal()
    await runPromise(number)
    const after = await count()
    return {
      steps,
      hasFailed: Exit.isFailure(exit),
      events: after.events - before.events,
      deliveries: after.deliveries - before.deliveries
    }
  } finally {
    await workspace.dispose()
  }
}

it("are complete after a failure at any step of the store while events are numbered", async () => {
  const { steps, events } = await numberWithFailure(undefined)
  expect(steps).toBeGreaterThan(5)
  for (let failing = 1; failing <= steps; failing++) {
    const result = await numberWithFailure(failing)
    expect([failing, result.hasFailed, result.events]).toEqual([failing, true, events])
    expect([failing, result.deliveries]).toEqual([failing, events])
  }
})

it("cannot be claimed twice during one request: a lease that is not longer than its timeout is a defect", async () => {
  const times = { timeoutMs: 10_000, leaseMs: 10_000, firstRetryMs: 10_000, retryForMs: 60_000 }
  const workspace = createWorkspace({
    storage: MemoryStorage.layer().pipe(Layer.provideMerge(Layer.succeed(WebhookTimes, times)))
  })
  await expect(workspace.administration.createUser({ input: { email: "ada@example.com" } })).rejects.toThrow(
    "`leaseMs` (10000) must be longer than `timeoutMs` (10000)."
  )
  await workspace.dispose()
})
